import type { Meta, StoryObj } from '@storybook/react-vite';
import { Email, onEmail } from '../../../../../../.storybook/email.tsx';

const LAUNCH = `# We are open

Dear friends, **the wait is over**: from today [everyone can join](https://www.acme.example/open).

## What is new

- Prices in *any* currency
- A new page for [your team](https://www.acme.example/team), with a very long address: https://www.acme.example/a/very/long/address/that/has/no/place/to/break

1. Open the page
2. Sign up

> “It saved me four hours.”

---

| Plan | Price |
| ---- | ----: |
| Solo | 7     |
| Team | 21    |

Use the code \`EARLY\`, or run:

\`\`\`
npm create acme@latest -- --template early-access --name a-name-that-is-long
\`\`\`

See you soon!`;

const LAUNCH_AR = `# أبوابنا مفتوحة

انتهى الانتظار: **من اليوم** يمكن [للجميع الانضمام](https://www.acme.example/open).

- أسعار بأي عملة
- صفحة جديدة لفريقك

> وفّر عليّ أربع ساعات.`;

/** An admin’s email to many people, in the brand’s layout. */
const meta = {
  ...onEmail,
  title: 'Emails/Campaign',
  component: Email,
  args: { email: 'campaign', campaign: LAUNCH },
} satisfies Meta<typeof Email>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Every kind of Markdown block. */
export const AllBlocks: Story = {};
/** A name and an address that wrap onto several lines. */
export const LongName: Story = { args: { hasLongName: true, width: 320 } };

export const BrightDark: Story = { globals: { brand: 'bright', theme: 'dark' }, tags: ['!dev', '!autodocs'] };
export const Arabic: Story = { args: { campaign: LAUNCH_AR }, globals: { locale: 'ar' }, tags: ['!dev', '!autodocs'] };
