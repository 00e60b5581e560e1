import type { Preview } from '@storybook/react-vite';

/** Props without a useful control: classes, functions, elements and objects with functions. */
export const FIXED_PROPS = /^(class|toastClass|on[A-Z]|(slots|fields|humanCheck|adapter|notify|children)$)/;

/** Matches the end of a prop's doc comment: "Default: true." */
const DEFAULT = /Default: (?:`([^`]+)`|(\w+))\.$/;

type Enhancer = NonNullable<Preview['argTypesEnhancers']>[number];

/** Removes the controls of fixed props, and shows the defaults from doc comments. */
export const completeArgTypes: Enhancer = ({ argTypes }) =>
  Object.fromEntries(
    Object.entries(argTypes).map(([name, argType]) => {
      const [, code, word] = DEFAULT.exec(argType.description ?? '') ?? [];
      const summary = code ?? word;
      const defaultValue = argType.table?.defaultValue ?? (summary === undefined ? undefined : { summary });
      return [
        name,
        {
          ...argType,
          ...(FIXED_PROPS.test(name) && { control: false }),
          table: { ...argType.table, ...(defaultValue && { defaultValue }) },
        },
      ];
    }),
  );
