import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from '../ui/toasts.tsx';
import { type AdminApi, useApi } from './admin-api.ts';

interface ActionOptions<Result, Input> {
  /** Prefixes of the query keys to refetch afterwards, even if the action fails. */
  readonly refreshes: readonly (readonly unknown[])[];
  /** Returns the success message; undefined for none. */
  readonly done?: (result: Result, input: Input) => string | undefined;
  /** Called after the message. */
  readonly onDone?: (result: Result, input: Input) => void;
  /** The caller shows the error itself, instead of a toast. */
  readonly showsError?: boolean;
}

/** An admin's action, with a message about its result. */
export function useAction<Result, Input = void>(
  act: (api: AdminApi, input: Input) => Promise<Result>,
  { refreshes, done, onDone, showsError = false }: ActionOptions<Result, Input>,
) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => act(api, input),
    onSuccess: (result, input) => {
      const message = done?.(result, input);
      if (message !== undefined) notify.done(message);
      onDone?.(result, input);
    },
    onError: (error) => {
      if (!showsError) notify.failed(error);
    },
    onSettled: () => Promise.all(refreshes.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
