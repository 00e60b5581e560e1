/** A page of the documentation: a Markdown file of the repository and its place on the site. */
export interface Place {
  /** Path of the file, from the root of the repository. */
  readonly source: string;
  /** The name in the sidebar. */
  readonly text: string;
  /** Path on the site, without an extension. */
  readonly path: string;
}

export interface Section {
  readonly text: string;
  readonly places: readonly Place[];
}

const KIT = 'packages/early-access-kit';
/** The API reference, which becomes one page per entry point. */
export const API_REFERENCE = `${KIT}/API.md`;

/** A page of `docs/`, with the same path on the site. */
const doc = (name: string, text: string): Place => ({ source: `docs/${name}.md`, text, path: name });
/** A page of the kit's guide, which Storybook shows, too. */
const guide = (name: string, text: string): Place => ({
  source: `${KIT}/docs/${name}.mdx`,
  text,
  path: `widgets/${name}`,
});
const file = (source: string, text: string, path: string): Place => ({ source, text, path });

/** Every page of the site except the home page, in the order of the sidebar. Must include each file of `docs/`. */
export const NAVIGATION: readonly Section[] = [
  {
    text: 'Start',
    places: [
      doc('start/react', 'React with Vite'),
      doc('start/nextjs', 'Next.js'),
      doc('start/astro', 'Astro'),
      doc('start/html', 'Plain HTML'),
      doc('start/vue', 'Vue'),
      doc('start/angular', 'Angular'),
      doc('start/sveltekit', 'SvelteKit'),
      doc('start/node', 'Express, Fastify, Hono'),
      doc('start/firebase', 'Firebase'),
      doc('builders', 'Site builders, and /join'),
      file('packages/create-early-access/README.md', 'npm create early-access', 'start/create'),
    ],
  },
  {
    text: 'Widgets',
    places: [
      file(`${KIT}/README.md`, 'Overview', 'widgets/overview'),
      guide('signup-form', 'Signup form'),
      guide('custom-elements', 'Custom elements'),
      guide('server-rendering', 'Server rendering'),
      doc('look', 'Appearance'),
      doc('fields', 'Custom fields'),
      file('e2e/engines/README.md', 'Browsers', 'browsers'),
      guide('theming', 'Theming, with a live preview'),
      guide('messages', 'Texts and languages'),
      guide('tracker-and-privacy', 'Tracker and privacy'),
      guide('accessibility', 'Accessibility'),
      guide('accessibility-form', 'Accessibility: form'),
      guide('accessibility-toasts', 'Accessibility: toasts'),
      guide('accessibility-overlay', 'Accessibility: overlay'),
      guide('adapters', 'Adapters'),
      guide('testing', 'Testing'),
    ],
  },
  {
    text: 'Server',
    places: [
      file('packages/early-access-server/README.md', 'Overview', 'server/overview'),
      doc('mount', 'Inside your own app'),
      doc('settings', 'Settings and emails'),
      doc('postgres', 'Postgres'),
      doc('firestore', 'Firestore'),
      doc('adapters', 'Your own database'),
      doc('stores', 'Adding a database'),
      doc('public-names', 'Public names'),
      doc('scale', 'Scale: limits and next steps'),
    ],
  },
  {
    text: 'For admins',
    places: [
      doc('dashboard', 'The dashboard'),
      doc('dashboard-accessibility', 'Dashboard: accessibility'),
      doc('fields', 'Custom fields'),
      doc('human-checks', 'Human checks'),
      doc('close-the-list', 'Close, pause or limit the list'),
      doc('addresses', 'Addresses that never arrive'),
      doc('count', 'How many have joined'),
      doc('confirmation', 'Confirmation'),
      doc('share', 'Share links'),
      doc('status-page', 'A page for each person'),
      doc('invites', 'Invitations'),
      doc('launch-email', 'Campaigns'),
      doc('series', 'A series after signing up'),
      doc('segments', 'Segments'),
      doc('act-on-all', 'Act on all'),
      doc('import', 'Import'),
      doc('webhooks', 'Webhooks'),
      doc('api', 'HTTP API'),
      doc('api-keys', 'API keys and agents'),
      doc('recipes', 'n8n, Zapier, Google Sheets'),
    ],
  },
  {
    text: 'Operations',
    places: [
      doc('operate', 'Running the server'),
      doc('deploy/render', 'Deploy on Render'),
      doc('deploy/fly', 'Deploy on Fly'),
      doc('deploy/railway', 'Deploy on Railway'),
      doc('deploy/coolify', 'Deploy with Coolify'),
      doc('deploy/compose', 'Deploy with Compose, Caddy'),
      doc('deploy/systemd', 'Deploy with systemd'),
      doc('deploy/demo', 'A public demo'),
      doc('versions', 'Versions and upgrades'),
      doc('mail-providers', 'Mail providers'),
      doc('mail-amazon-ses', 'Amazon SES'),
      doc('mail-postmark', 'Postmark'),
      doc('mail-resend', 'Resend'),
      doc('mail-mailgun', 'Mailgun'),
      doc('mail-brevo', 'Brevo'),
      doc('deploy-firebase', 'Firebase in production'),
      file('packages/early-access-firebase/README.md', 'On Firebase', 'firebase'),
      doc('firebase-functions', 'Cloud Functions'),
      file('SECURITY.md', 'Security', 'security'),
      doc('security-model', 'Security model'),
      doc('privacy', 'A privacy page to copy'),
      doc('privacy-record', 'Record of processing'),
      doc('privacy-processors', 'Processing agreement'),
      file('bench/README.md', 'Benchmarks', 'benchmarks'),
    ],
  },
  {
    text: 'Contributing',
    places: [
      file('CONTRIBUTING.md', 'Contributing', 'contributing'),
      file('ARCHITECTURE.md', 'Architecture', 'architecture'),
      doc('tour', 'A tour of the code'),
      doc('roadmap', 'Roadmap'),
      doc('compare', 'Compared with others'),
      doc('decisions/browser', 'Decisions: browser'),
      doc('decisions/http', 'Decisions: HTTP, access'),
      doc('decisions/list', 'Decisions: list, mail'),
      doc('decisions/stores', 'Decisions: stores'),
      doc('decisions/firestore', 'Decisions: Firestore'),
      doc('decisions/dashboard', 'Decisions: dashboard'),
      doc('decisions/repository', 'Decisions: repository'),
      doc('commands', 'Commands'),
      file('scripts/mutation/README.md', 'Mutation tests', 'mutation'),
      file('faults/simulation/README.md', 'Simulated failures', 'simulation'),
    ],
  },
];

/** Throws with the names of pages of `docs/` that are missing in the navigation. */
export function demandPlaces(sources: readonly string[]): void {
  const placed = new Set(NAVIGATION.flatMap(({ places }) => places.map(({ source }) => source)));
  const missing = sources.filter((source) => !placed.has(source));
  if (missing.length > 0) {
    throw new Error(`Give each of these a place in docs-site/navigation.ts: ${missing.join(', ')}`);
  }
}
