/**
 * `success-url` of `<early-access-form>`, for pages without a bundler: `<script src="…/embed-success.js" defer>`. It
 * needs no other script.
 */
document.addEventListener('early-access-success', (event) => {
  // Retargeted if the form is in a shadow root.
  const [form] = event.composedPath();
  const link = document.createElement('a');
  link.href = (form instanceof Element && form.getAttribute('success-url')) || 'about:blank';
  // Never a script, wherever the page has the attribute from.
  if (/^https?:$/.test(link.protocol) && !event.defaultPrevented) link.click();
});
