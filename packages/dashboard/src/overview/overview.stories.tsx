import type { Meta, StoryObj } from '@storybook/react-vite';
import { DAY_MS } from 'early-access-kit/internal';
import { derivePalettes } from 'early-access-server/admin-api';
import { expect, fn, screen, waitFor, within } from 'storybook/test';
import { NOW } from '../testing/dashboard.fixture.ts';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';
import breakdown from './breakdown.module.css';
import { plot } from './plot.ts';

/** Visitors, signups and their origin. The page's state is in the URL. */
const meta = {
  title: 'Dashboard/Overview',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  // The fake server's clock, at which the last day is still in progress.
  beforeEach: () => {
    const real = Date.now;
    const behind = real() - NOW;
    // Not a mock: Storybook logs each call of a mock with a timestamp, which would call it again.
    Date.now = () => real() - behind;
    return () => {
      Date.now = real;
    };
  },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

const figure = (name: string) => within(screen.getByText(name).closest('button') ?? document.body);

/** The last 30 days: figures compared with the previous period, the chart, the funnel and the sources of sessions. */
export const ThirtyDays: Story = {
  play: async () => {
    await screen.findByText('New signups');
    await expect(screen.getByRole('img', { name: /^Chart of visitors/ })).toHaveAccessibleName(
      'Chart of visitors. Peak: Tue, 10 Nov 2026: 913. Sun, 22 Nov 2026, so far: 55. All figures are in the table.',
    );
    await expect(await screen.findByText('One dot per person')).toBeVisible();
    await expect(figure('Conversion').getByText(/against 24 Sept? – 23 Oct 2026/)).toBeInTheDocument();
    await expect(await screen.findByText(/human check refused 1,903 attempts to sign up/)).toBeVisible();
    await expect(screen.getByText('1,650 with a reused token')).toBeVisible();
    await expect(screen.getByText(/^3,000 people were imported in this period/)).toBeVisible();
    await expect(screen.getByText(/^Conversion is new signups per visitor/)).toBeVisible();
    // The funnel's numbers are aligned, with and without a share beside them.
    const steps = within(screen.getByRole('region', { name: 'From session to signup' })).getAllByRole('listitem');
    const counts = steps.map(
      (step) =>
        within(step)
          .getAllByText(/^[\d,]+$/)[0]
          ?.getBoundingClientRect().right,
    );
    await expect(new Set(counts).size).toBe(1);
    await expectNoHoles();
    await expectLabelsAboveBars();
  },
};

/** Expects that, on a desktop, each card directly follows the one above it in its column. */
async function expectNoHoles(): Promise<void> {
  const cards = ['Where they come from', 'Devices'].map((name) => screen.getByRole('region', { name }));
  const [above, below] = cards.map((card) => card.getBoundingClientRect());
  await expect((below?.top ?? 0) - (above?.bottom ?? 0)).toBeCloseTo(16, 0);
}

async function expectLabelsAboveBars(): Promise<void> {
  const bars = document.querySelectorAll(`.${breakdown.bar}`);
  await expect(bars.length).toBeGreaterThan(8);
  for (const bar of bars) {
    const label = bar.nextElementSibling?.getBoundingClientRect();
    await expect(label?.bottom).toBeLessThanOrEqual(bar.getBoundingClientRect().top + 1);
  }
}

const OPEN = { sender: 'open', form: 'open', signup: 'open', backup: 'open' } as const;
const listSteps = async () =>
  within(await screen.findByRole('region', { name: 'First steps' })).getAllByRole('listitem');

/** A new server: four tasks, each with a link to the page for it. */
export const FirstRun: Story = {
  args: { server: { isEmpty: true, firstSteps: OPEN } },
  beforeEach: () => () => localStorage.removeItem('first_steps'),
  play: async ({ userEvent }) => {
    const steps = await listSteps();
    await expect(steps).toHaveLength(4);
    for (const step of steps) await expect(within(step).getByRole('link')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss the first steps' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull());
    await expect(localStorage.getItem('first_steps')).toBe('dismissed');
  },
};

/** Some of the first steps are done, and backups are still open. */
export const FirstStepsOnPhone: Story = {
  args: { server: { firstSteps: { backup: 'open' } } },
  globals: { viewport: { value: 'phone', isRotated: false } },
  play: async () => {
    const [sender, , , backup] = await listSteps();
    if (sender) await expect(within(sender).getByRole('img', { name: 'Done' })).toBeVisible();
    if (backup) await expect(within(backup).getByRole('link', { name: 'Health' })).toBeVisible();
  },
};

/** With Firestore, the server cannot detect backups, and says so. */
export const FirstStepsOnFirestore: Story = {
  args: { server: { health: { store: 'firestore' }, firstSteps: { signup: 'open', backup: 'elsewhere' } } },
  play: async () => {
    const [, , , backup] = await listSteps();
    if (backup) await expect(within(backup).getByText(/Schedule them once in Google Cloud/)).toBeVisible();
  },
};

/** All tasks are done, so the list is gone. */
export const FirstStepsDone: Story = {
  args: { server: { health: { store: 'postgres' }, firstSteps: { backup: 'elsewhere' } } },
  play: async () => {
    await screen.findByText('New signups');
    await waitFor(() => expect(shownServer().requests.join()).toContain('GET /admin/first-steps'));
    await expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  },
};

const MESSAGE =
  'We open again in spring. Until then, our newsletter tells you how the printers are coming along, and what they print.';

/** The list is closed. The admin sees the message that visitors see. */
export const ListClosed: Story = {
  args: { server: { list: { status: { mode: 'closed', message: MESSAGE, link_url: 'https://news.acme.example/' } } } },
  play: async () => {
    await expect(
      await screen.findByText(/^Signups are closed\. Visitors see “We open .*“news\.acme\.example”\.$/),
    ).toBeVisible();
    await expect(screen.getByRole('link', { name: 'Change signups' })).toHaveAttribute('href', '?page=settings');
  },
};

/** Signups are paused. Visitors can ask for an email when the list opens again. */
export const ListPaused: Story = {
  args: { server: { list: { status: { mode: 'paused', takes_requests: true } } } },
  play: async () => {
    await expect(await screen.findByText(/the built-in text in their language and a form/)).toBeVisible();
  },
};

/** The list is full, so nobody can sign up. */
export const ListFullOnPhone: Story = {
  args: { server: { people: 500, list: { status: { max_people: 500 } } } },
  globals: { viewport: { value: 'phone', isRotated: false } },
  play: async () => {
    await expect(await screen.findByText(/^All 500 places are taken\./)).toBeVisible();
  },
};

/** Signups close in two days. Visitors still see the form. */
export const ListClosesSoon: Story = {
  args: { server: { list: { status: { closes_at: NOW + 2 * DAY_MS } } } },
  play: async () => {
    await expect(await screen.findByText(/^Signups close on .*\. Until then, visitors see the form\.$/)).toBeVisible();
  },
};

/** A closing time in the distant future needs no notice yet. */
export const ListClosesLater: Story = {
  args: { server: { list: { status: { closes_at: NOW + 30 * DAY_MS } } } },
  play: async () => {
    await screen.findByText('New signups');
    await waitFor(() => expect(shownServer().requests.join()).toContain('GET /admin/list-status'));
    await expect(screen.queryByText(/^Signups close on/)).toBeNull();
  },
};

/** The navigation has space for four pages. The others are under "More". */
export const MorePages: Story = {
  name: 'Navigation on a small phone',
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async ({ userEvent }) => {
    await screen.findByText('New signups');
    const pages = within(screen.getByRole('navigation', { name: 'Pages' }));
    const more = pages.getByRole('button', { name: 'More' });
    await userEvent.click(more);
    await expect(pages.getAllByRole('link').filter((link) => link.checkVisibility())).toHaveLength(8);
    await userEvent.keyboard('{Escape}');
    await expect(more).toHaveFocus();
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(more);
  },
};

/** The platform provides each visitor's country. */
export const Countries: Story = {
  args: { server: { hasCountries: true } },
  play: async ({ userEvent }) => {
    const countries = within(await screen.findByRole('region', { name: 'Countries' }));
    await expect(countries.getByRole('button', { name: 'Unknown country' })).toBeVisible();
    await userEvent.click(countries.getByRole('button', { name: 'Germany' }));
    await expect(await screen.findByText('Country: Germany')).toBeVisible();
  },
};

/** The download button is beside its heading. */
export const SmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async () => {
    const download = await screen.findByRole('button', { name: 'Referrer as CSV' });
    const heading = screen.getByRole('heading', { name: 'Where they come from' }).getBoundingClientRect();
    await expect(download.getBoundingClientRect().top).toBeLessThan(heading.bottom);
    await expectLabelsAboveBars();
    await expect(await screen.findByText('One dot per 5 people')).toBeVisible();
  },
};

/**
 * The chart fills the full width again after the window was narrower, such as after rotating a phone. It may be removed
 * before it is drawn.
 */
export const Resized: Story = {
  play: async ({ canvasElement, step }) => {
    const chart = await screen.findByRole('img', { name: /^Chart of visitors/ });
    const draw = () => chart.querySelector('canvas')?.toDataURL();
    // Until it is first drawn, the canvas has its default size.
    await waitFor(() => expect(chart.querySelector('canvas')?.height).toBe(190 * devicePixelRatio));
    const drawn = draw();
    for (const width of ['20rem', '24rem', '']) {
      const before = draw();
      chart.style.width = width;
      await waitFor(() => expect(draw()).not.toBe(before));
    }
    await waitFor(() => expect(draw()).toBe(drawn));
    await step('Leave before it is drawn', async () => {
      const failed = fn();
      window.addEventListener('error', failed);
      const [target, kind, unit] = [document.createElement('div'), 'line', 'visitors'] as const;
      const points = { labels: ['1 Nov'], values: [3], openIndex: -1, labelsOpen: true, showsLabels: true };
      canvasElement.append(target);
      plot(target, {
        kind,
        unit,
        ...points,
        color: '--ead-link',
        height: 190,
        format: String,
        onPoint: fn(),
        onScale: fn(),
      });
      target.remove();
      // The chart is drawn in a microtask, so it is done before the next task.
      await new Promise((resolve) => setTimeout(resolve));
      window.removeEventListener('error', failed);
      await expect(failed).not.toHaveBeenCalled();
    });
  },
};

/** Pages by views, beside the landing pages of sessions. A row of pages is no filter. */
export const Pages: Story = {
  name: 'Top pages and entry pages',
  play: async ({ userEvent }) => {
    const top = within(await screen.findByRole('table', { name: /^Top pages/ }));
    await expect(top.getAllByRole('row')).toHaveLength(9);
    await expect(top.queryByRole('button')).toBeNull();
    await userEvent.click(within(screen.getByRole('region', { name: 'Pages' })).getByRole('button', { name: /^Show/ }));
    await expect(top.getByText('/#/calculator')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Landing page' }));
    await expect(await screen.findByRole('button', { name: 'Landing page as CSV' })).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Top pages' }));
    await expect(await screen.findByRole('button', { name: 'Top pages as CSV' })).toBeVisible();
  },
};

/** A row of a breakdown filters the whole page. The chip removes the filter again. */
export const Filtering: Story = {
  play: async ({ userEvent }) => {
    const row = await screen.findByRole('button', { name: 'reddit.com' });
    await userEvent.click(row);
    const filters = await screen.findByRole('list', { name: 'Filters' });
    await expect(filters).toHaveTextContent('Referrer: reddit.com');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'reddit.com' })).toHaveAttribute('aria-pressed', 'true'),
    );
    await userEvent.click(screen.getByRole('button', { name: /^Remove: Referrer: / }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Filters' })).toBeNull());
  },
};

/** Two filters from the URL. Filtered visitors are counted once per day. */
export const Filtered: Story = {
  args: { search: 'filter=referrer_host:news.ycombinator.com&filter=device_type:mobile' },
  play: async () => {
    await expect(await screen.findByRole('list', { name: 'Filters' })).toHaveTextContent('Device: Phone');
    await expect(screen.getByText(/count once a day/)).toBeVisible();
    // Both the figures and the chart use this name.
    await expect(await screen.findAllByText('Daily visitors')).toHaveLength(2);
  },
};

/** The chart's figures as a table. */
export const AsTable: Story = {
  args: { search: 'range=7d' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Show table' }));
    const table = within(await screen.findByRole('region', { name: 'Table of all figures' }));
    await expect(table.getAllByRole('row')).toHaveLength(8);
    await expect(table.getByRole('rowheader', { name: 'Sun, 22 Nov 2026, so far' })).toBeVisible();
    await expect(table.getByRole('rowheader', { name: 'Sat, 21 Nov 2026' })).toBeVisible();
  },
};

/** A single day, with a chart of its hours. */
export const OneDay: Story = {
  args: { search: 'range=custom&from=2026-11-10&to=2026-11-10' },
  play: async () => {
    await expect(await screen.findByRole('heading', { name: 'Visitors and signups per hour' })).toBeVisible();
    await expect(screen.getByLabelText('From')).toHaveValue('2026-11-10');
  },
};

/** Everything since the first session. */
export const AllTime: Story = { args: { search: 'range=all' } };

/** Clicking a figure shows it in the chart. */
export const Conversion: Story = {
  args: { search: 'range=month&compare=year' },
  play: async ({ userEvent }) => {
    await expect(await screen.findByRole('combobox', { name: 'Compared with' })).toHaveValue('year');
    await userEvent.click(await screen.findByRole('button', { name: /^Conversion/ }));
    await expect(await screen.findByRole('heading', { name: 'Conversion and signups per day' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /^New signups/ }));
    await expect(await screen.findByRole('heading', { name: 'New signups per day' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /^Conversion/ }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'today');
    await expect(await screen.findByRole('heading', { name: 'Conversion and signups per hour' })).toBeVisible();
  },
};

/** The overview can be used by keyboard. */
export const ByKeyboard: Story = {
  play: async ({ userEvent }) => {
    await screen.findByText('New signups');
    screen.getByRole('button', { name: /^Sessions/ }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(screen.getByRole('button', { name: /^Sessions/, pressed: true })).toHaveFocus();
    screen.getByRole('radio', { name: 'Device' }).focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect(await screen.findByRole('button', { name: 'Firefox' })).toBeVisible();
  },
};

/** A database from a version that did not keep running counts. */
export const StillCounting: Story = {
  args: { server: { progress: 0.43 } },
  play: async () => {
    await expect(await screen.findByRole('progressbar', { name: 'Older sessions counted' })).toBeVisible();
  },
};

/** The background count fails, which only happens with Firestore. */
export const CountingFails: Story = {
  args: {
    server: { countingFailure: { since: Date.UTC(2026, 10, 14, 9, 5), reason: 'Firestore failed: Error 8' } },
  },
  play: async () => {
    await expect(await screen.findByText(/has failed since 14 Nov 2026/)).toBeVisible();
  },
};

/** No sessions have been recorded yet. */
export const Empty: Story = {
  args: { server: { isEmpty: true } },
  play: async () => {
    await expect(await screen.findByText('No sessions yet')).toBeVisible();
    const dot = getComputedStyle(screen.getByText('0 visitors on the site now'), '::before').backgroundColor;
    await expect(dot).toBe(resolveColor('var(--ead-muted-on-paper)'));
  },
};

/** The figures are loading. */
export const Loading: Story = {
  args: { server: { failures: { 'GET /admin/dashboard': 'pending' } } },
  play: async () => {
    await expect(await screen.findByText('Loading')).toBeInTheDocument();
  },
};

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = {
  args: { server: { failures: { 'GET /admin/dashboard': 'unreachable' } } },
  play: async () => {
    await expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached');
    await expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  },
};

/** The server responded with an error. */
export const ServerError: Story = { args: { server: { failures: { 'GET /admin/dashboard': 503 } } } };

function resolveColor(color: string): string {
  const element = document.createElement('i');
  element.style.color = color;
  document.body.append(element);
  const resolved = getComputedStyle(element).color;
  element.remove();
  return resolved;
}

/** Returns RGB values from 0 to 1 for any CSS color. */
function readPixel(color: string): readonly [red: number, green: number, blue: number] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser has no canvas');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}

/** The contrast ratio as defined by WCAG 2. */
function computeContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((color) => {
      const [red, green, blue] = readPixel(color).map((part) =>
        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Visitors and signups can be distinguished from each other and from the background, for any brand color. */
export const AnyBrand: Story = {
  beforeEach: () => () => document.documentElement.removeAttribute('style'),
  play: async () => {
    await screen.findByText('New signups');
    const { style } = document.documentElement;
    const accents = ['#c8102e', '#1d4f91', '#0a7d4f', '#ffd400', '#777777', '#d9127d', '#00a0dc', '#111111', '#ff5a1f'];
    for (const accent of accents) {
      for (const [scheme, palette] of Object.entries(derivePalettes({ accent }))) {
        style.colorScheme = scheme;
        for (const part of ['link', 'sheet'] as const) style.setProperty(`--ead-${part}`, palette[part]);
        const [link, second, sheet] = ['link', 'second', 'sheet'].map((part) => resolveColor(`var(--ead-${part})`));
        if (!link || !second || !sheet) throw new Error('a color is missing');
        await expect(computeContrast(second, sheet), `${accent} ${scheme}`).toBeGreaterThan(3);
        const [first, other] = [readPixel(link), readPixel(second)];
        const distance = Math.hypot(...first.map((part, index) => part - (other[index] ?? 0)));
        await expect(distance, `${accent} ${scheme}`).toBeGreaterThan(0.3);
      }
    }
  },
};

/** Another brand with a light accent color, on which text is dark. */
export const SecondBrand: Story = {
  args: { server: { colors: { accent: '#ffd400', background: '#eef4ee' } } },
};
