/** Delays scripted calls until the story opens the gate, so no state depends on timing: `{ delay: gate.opened }`. */
export function closedGate(): { readonly opened: Promise<void>; open(): void } {
  let settle = () => {};
  const opened = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { opened, open: () => settle() };
}
