/**
 * `success-url` of `<early-access-form>`, for pages without a bundler: `<script src="…/embed-success.js" defer>`. Works
 * on its own.
 */
document.addEventListener('early-access-success', (event) => {
  // Retargeted if the form is in a shadow root.
  const [form] = event.composedPath();
  const link = document.createElement('a');
  link.href = (form instanceof Element && form.getAttribute('success-url')) || 'about:blank';
  // Never `javascript:`, wherever the attribute's value comes from.
  if (/^https?:$/.test(link.protocol) && !event.defaultPrevented) link.click();
});
