import type { OriginPolicy } from '../../app/access/origins.ts';
import { baseHeaders } from '../site/page-policy.ts';
import { type AssetRequest, respond } from '../site/respond.ts';
import type { EmbedScripts } from './scripts.ts';

/** What of a request decides how a script is answered. */
export interface ScriptRequest extends AssetRequest {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/**
 * Makes what answers GETs of the scripts, and undefined for every other path. Any page may run them; those of an allowed origin may
 * check them by their hash too, which takes CORS.
 */
export function scriptResponder(
  scripts: EmbedScripts,
  origins: OriginPolicy,
  https: boolean,
): (request: ScriptRequest) => Response | undefined {
  const forScripts = { ...baseHeaders(https), 'Cross-Origin-Resource-Policy': 'cross-origin' };
  return (request) => {
    const script = scripts.get(request.path);
    if (script === undefined) return undefined;
    const answer = respond(script, 200, request, forScripts);
    answer.headers.append('Vary', 'Origin');
    if (request.origin !== undefined && origins.judge(request.origin, request.host) === 'allowed') {
      answer.headers.set('Access-Control-Allow-Origin', request.origin);
    }
    return answer;
  };
}
