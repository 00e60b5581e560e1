/** Waits for what a fixture has started, passes it to the tests and closes it after them. */
export async function whileOpen<T extends { close(): Promise<unknown> }>(
  started: Promise<T>,
  use: (value: T) => Promise<void>,
): Promise<void> {
  const value = await started;
  await use(value);
  await value.close();
}
