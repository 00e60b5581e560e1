/** Who may import whom: the rules of ARCHITECTURE.md, checked by `npm test`. */
const KIT = 'packages/early-access-kit/src';
const SERVER = 'packages/early-access-server/src';
const TESTS = String.raw`\.(test|test-d|stories)\.tsx?$`;

const within = (...folders) => folders.map((folder) => `^${KIT}/${folder}`).join('|');

/**
 * The rooms of the application, each above those that it may import. Everyone may import `ports`, which names their
 * types.
 */
const APP_ROOMS = [
  ...['text', 'access', 'jobs', 'lifecycle', 'mail', 'analytics', 'human', 'brand', 'share', 'signup'],
  ...['people', 'campaigns', 'import', 'webhooks', 'mail-events', 'admin'],
];

const roomsImportDown = APP_ROOMS.map((room, at) => ({
  name: `${room}-imports-rooms-below`,
  comment: 'No two rooms of the application import each other. The order of the rooms is in this file.',
  severity: 'error',
  from: { path: `^${SERVER}/app/${room}/`, pathNot: TESTS },
  to: { path: `^${SERVER}/app/(${APP_ROOMS.slice(at).join('|')})/`, pathNot: `^${SERVER}/app/${room}/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'A circle cannot be understood, tested or split one part at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-stands-alone',
      comment: 'core is shared by browsers and servers: no React, no DOM library, nothing else of the project.',
      severity: 'error',
      from: { path: `^${KIT}/core`, pathNot: TESTS },
      to: { pathNot: `^${KIT}/core/` },
    },
    {
      name: 'widgets-know-no-adapter-and-no-other-widget',
      comment: 'Widgets meet in the provider; the adapter is handed to them.',
      severity: 'error',
      from: { path: `^${KIT}/(signup|tracker|admin)/`, pathNot: TESTS },
      to: {
        path: `^${KIT}/`,
        pathNot: [`^${KIT}/(core/|provider\\.tsx$|class-names\\.ts$|own-visits\\.ts$)`, `^${KIT}/$1/`],
      },
    },
    {
      name: 'tracker-without-react',
      comment: 'early-access-kit/tracker is for pages without React; React stays in the hook and the component.',
      severity: 'error',
      from: {
        path: `^${KIT}/tracker(/|\\.ts)`,
        pathNot: [TESTS, `^${KIT}/tracker/session-tracker\\.tsx$`],
      },
      to: { path: 'react|provider' },
    },
    {
      name: 'adapters-know-core-and-http',
      severity: 'error',
      from: { path: `^${KIT}/adapters/`, pathNot: TESTS },
      to: { path: `^${KIT}/`, pathNot: [within('core/'), `^${KIT}/adapters/((firestore|memory)/|http\\.ts$)`] },
    },
    {
      name: 'root-reaches-no-adapter',
      comment: 'Who mounts a widget pays for no adapter but the one that he imports.',
      severity: 'error',
      from: { path: `^${KIT}/index\\.ts$` },
      to: { path: `^${KIT}/(adapters/|testing)`, reachable: true },
    },
    {
      name: 'admin-panel-is-lazy',
      comment: 'Visitors never load it.',
      severity: 'error',
      from: { pathNot: [TESTS, `^${KIT}/embed/admin-(part|script)\\.ts$`] },
      to: { path: `^${KIT}/(admin/admin-panel|embed/admin-part)`, dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'human-checks-are-optional',
      comment: 'Only pages that use a check load it: widgets know its interface, and the elements load it on demand.',
      severity: 'error',
      from: { path: `^${KIT}/`, pathNot: [TESTS, `^${KIT}/(human/|embed/human-part\\.ts$)`] },
      to: { path: `^${KIT}/human/(?!human-messages)`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'human-checks-know-core-only',
      severity: 'error',
      from: { path: `^${KIT}/human/`, pathNot: TESTS },
      to: {
        path: `^${KIT}/`,
        pathNot: [within('core/', 'human/'), `^${KIT}/signup/form-parts\\.ts$`],
      },
    },
    {
      name: 'nobody-knows-the-embed',
      comment:
        'The elements are made of the widgets, which must not know of it; the overlay’s script is built by itself.',
      severity: 'error',
      from: { path: `^${KIT}/`, pathNot: [TESTS, `^${KIT}/embed`] },
      to: { path: `^${KIT}/embed` },
    },
    {
      name: 'public-names-only',
      comment: 'Everybody else uses the package as its users do.',
      severity: 'error',
      from: { pathNot: `^${KIT.replace('/src', '')}/` },
      to: { path: `^${KIT}/` },
    },
    {
      name: 'app-knows-ports-only',
      comment:
        'The application decides. It imports core and its own ports, and nothing of a database, a server or a mail library, not even a type.',
      severity: 'error',
      from: { path: `^${SERVER}/app/`, pathNot: TESTS },
      to: {
        path: `^${SERVER}/(http|stores|mail|cli|settings|testing|human|webhooks)/|node_modules/(hono|nodemailer|firebase)|^node:sqlite`,
      },
    },
    ...roomsImportDown,
    {
      name: 'firestore-list-knows-no-mail-queue',
      comment: 'The mail queue enrols signups and changes people. Both know how messages are stored.',
      severity: 'error',
      from: { path: '^packages/early-access-firebase/src/firestore/(list|message-document|mailbox)', pathNot: TESTS },
      to: { path: '^packages/early-access-firebase/src/firestore/mail/' },
    },
    {
      name: 'routing-knows-no-application',
      comment: 'Routes stand on routing, and the application on routes.',
      severity: 'error',
      from: { path: `^${SERVER}/http/(routing|public|pages|admin)/`, pathNot: TESTS },
      to: { path: `^${SERVER}/http/application/` },
    },
    {
      name: 'commands-are-on-top',
      comment:
        'Commands put everything together. What a command shares with the rest of the server belongs to a room below.',
      severity: 'error',
      from: { path: `^${SERVER}/[^/]+/`, pathNot: [TESTS, `^${SERVER}/(cli|fixtures)/`] },
      to: { path: `^${SERVER}/cli/` },
    },
    {
      name: 'stores-know-app-and-their-driver',
      comment:
        'A store is replaceable: it imports decisions of the application and its own driver, never another store.',
      severity: 'error',
      from: { path: `^${SERVER}/stores/([^/]+)/`, pathNot: TESTS },
      to: { path: `^${SERVER}/`, pathNot: [`^${SERVER}/app/`, `^${SERVER}/stores/($1|sql)/`] },
    },
    {
      name: 'firebase-calls-the-application',
      comment:
        'early-access-firebase is published apart from the server, so it uses the names that the server exports. Tests share its fixtures.',
      severity: 'error',
      from: { path: '^packages/early-access-firebase/', pathNot: [TESTS, '/fixtures/'] },
      to: { path: `^${SERVER}/`, pathNot: `^${SERVER}/(index|internal|store)\\.ts$` },
    },
    {
      name: 'application-uses-core',
      comment:
        'The application knows no widget, only core and the texts of the result pages. Tests may use the adapters and the contract suite.',
      severity: 'error',
      from: {
        path: '^packages/early-access-(server|firebase)/',
        pathNot: [TESTS, '^packages/early-access-server/src/testing/examples\\.ts$'],
      },
      to: { path: 'early-access-kit/dist/', pathNot: 'early-access-kit/dist/(core|internal|messages)\\.' },
    },
    {
      name: 'dashboard-knows-the-interface-only',
      comment:
        'The dashboard speaks HTTP: of the server it imports what describes the interface, and of the kit core and what leaves out own visits.',
      severity: 'error',
      from: { path: '^packages/dashboard/' },
      to: {
        path: `^(packages/(?!dashboard/)|site|scripts|e2e|faults)`,
        pathNot: [
          `^${SERVER}/admin-(api|pages)\\.ts$`,
          '^packages/early-access-kit/dist/(core|internal|tracker)\\.',
          // Its tests only: see test-tools-ship-nowhere.
          '^packages/testkit/',
        ],
      },
    },
    {
      name: 'create-stands-alone',
      comment: 'It is downloaded to run once. What it writes depends on the other packages; it does not.',
      severity: 'error',
      from: { path: '^packages/create-early-access/', pathNot: TESTS },
      to: { path: '^(packages/(?!create-early-access/)|site|scripts|e2e|faults)' },
    },
    {
      name: 'test-tools-ship-nowhere',
      comment: 'Nothing that is deployed or published may import the testkit.',
      severity: 'error',
      from: {
        path: '^(packages|site)/',
        pathNot: [
          TESTS,
          String.raw`\.fixture\.tsx?$`,
          '/(test|fixtures|cards|testkit)/',
          // Build files.
          String.raw`^(site/build|.*/tsup\.config|packages/early-access-kit/build/.+)\.ts$`,
          '^packages/early-access-firebase/src/local/',
        ],
      },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'testkit-uses-the-kit-only',
      comment: 'Every other package uses the testkit, so anything more would be a cycle.',
      severity: 'error',
      from: { path: '^packages/testkit/' },
      to: { path: '^(packages/(?!testkit/|early-access-kit/dist/)|site|scripts|e2e|faults)' },
    },
    {
      name: 'end-to-end-tests-use-public-names',
      comment: 'e2e and faults test the packages from outside. The simulator plants bugs into the server’s own files.',
      severity: 'error',
      from: { path: '^(e2e|faults)/', pathNot: '^faults/simulation/' },
      to: { path: '^packages/', dependencyTypes: ['local'] },
    },
    {
      name: 'scripts-import-no-package',
      comment: 'Scripts run programs of the packages. What they share with tests is in the testkit.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(packages/(?!testkit/)|site|docs-site|e2e|bench|faults|examples)' },
    },
    {
      name: 'nothing-imports-scripts',
      comment: 'They are the commands of the repository and can be changed without looking elsewhere.',
      severity: 'error',
      from: { pathNot: '^scripts/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'resolvable',
      comment:
        'Only Vite knows `?raw`, `?inline` and the modules that its plugins make, and it fails if one is missing.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: String.raw`\?(raw|inline)$|^virtual:` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: {
      path: '/dist/.*\\.map$|/dist-functions/|^site/dist|storybook-static|/[.]cache/|^bench/hand-written/express',
    },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
