import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { type ChangeState, usePageState } from '../shell/pages.ts';
import { type PeopleState, readPeople, TEXTS, writePeople } from './people-state.ts';

/**
 * The state of the people page. `TEXTS` may contain addresses, so they are stored in the browser's history state: they
 * survive Back and a reload, but never appear in the address bar or the server's log.
 */
export function usePeopleState(): readonly [PeopleState, ChangeState<PeopleState>] {
  const [params] = useSearchParams();
  const [state, setState] = usePageState('people', readAll, writeShown);
  // Rerenders when only the texts have changed.
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
  // The URL contains texts if it was typed or saved; move them to the history state.
  const isShown = TEXTS.some((name) => params.has(name));
  useEffect(() => {
    if (isShown) change((current) => current, { replace: true });
  }, [isShown, change]);
  return [state, change];
}

/** Reads the state from the URL and the history state. */
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
