/** The minimum of any tracker: it listens to the visitor's events and sends the start and the end. */

const nothing = () => {};
const send = () => void fetch('/api/sessions', { method: 'POST', body: '{}', keepalive: true }).catch(nothing);
const options = { capture: true, passive: true };

for (const type of ['click', 'scroll', 'storage', 'pageshow', 'visibilitychange', 'popstate'])
  addEventListener(type, nothing, options);
addEventListener('pagehide', send, options);
setInterval(nothing, 5_000);
send();
