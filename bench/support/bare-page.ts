/** The least that can be typed into and sent: what an interaction takes where nothing but the browser is to be waited for. */
export const BARE_PAGE = `<!doctype html>
<meta name="viewport" content="width=device-width">
<form class="eak-form" novalidate><label>Email address <input type="email"></label> <button>Join</button></form>
<p></p>
<script>
  const [form] = document.forms;
  form.onsubmit = (event) => {
    event.preventDefault();
    form.querySelector('button').textContent = 'Joining...';
    setTimeout(async () => {
      await fetch('/api/signups', { method: 'POST', body: '{}' });
      document.querySelector('p').textContent = "You're on the list!";
    });
  };
</script>
`;
