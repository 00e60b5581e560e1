import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { type ChangeState, usePageState } from '../shell/pages.ts';
import { type PeopleState, readPeople, TEXTS, writePeople } from './people-state.ts';

/**
 * The state of the page. Its texts may be addresses, so the browser's history holds them: Back and a reload find them,
 * and neither the address bar nor the server's log ever has them.
 */
export function usePeopleState(): readonly [PeopleState, ChangeState<PeopleState>] {
  const [params] = useSearchParams();
  const [state, setState] = usePageState('people', readAll, writeShown);
  // Renders again when only the texts have changed.
  useHistoryState();
  const change = useCallback<ChangeState<PeopleState>>(
    (update, options) => {
      let texts = '';
      setState((current) => {
        const next = update(current);
        texts = writeTexts(next);
        return next;
      }, options);
      history.replaceState(texts || null, '');
    },
    [setState],
  );
  // A typed or stored link.
  const isShown = TEXTS.some((name) => params.has(name));
  useEffect(() => {
    if (isShown) change((current) => current, { replace: true });
  }, [isShown, change]);
  return [state, change];
}

/** From the URL, and from what the history holds. */
function readAll(params: URLSearchParams): PeopleState {
  const stored: unknown = history.state;
  return readPeople(new URLSearchParams([...params, ...new URLSearchParams(typeof stored === 'string' ? stored : '')]));
}

function writeShown(state: PeopleState): URLSearchParams {
  return writePeople({ ...state, ...Object.fromEntries(TEXTS.map((name) => [name, ''])) });
}

function writeTexts(state: PeopleState): string {
  return new URLSearchParams(TEXTS.flatMap((name) => (state[name] === '' ? [] : [[name, state[name]]]))).toString();
}
