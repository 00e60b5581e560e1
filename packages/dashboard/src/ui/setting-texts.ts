/** How to apply a changed setting, on a server and in Cloud Functions. */
export const THEN_RESTART = 'Then restart the server; on Firebase, deploy again.';
