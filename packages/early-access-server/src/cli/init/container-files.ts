import packageJson from '../../../package.json' with { type: 'json' };

const { name, version } = packageJson;

/** The long-term release that the image runs on. */
const NODE_MAJOR = 24;
const PORT = 4173;

/**
 * Node would let its heap grow with the load as far as the machine allows. Within these limits a server that stores
 * 2,000 signups a second is below 256 MB.
 */
export const MEMORY_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=128'] as const;

/** Docker starts no shell for a command in brackets. */
const COMMAND = ['node', ...MEMORY_FLAGS, `node_modules/${name}/dist/cli.js`];

/** Without fetch, which would take more memory of the container's. */
const IS_HEALTHY = `require('node:http')
  .get('http://127.0.0.1:' + process.env.PORT + '/healthz', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('error', () => process.exit(1))`.replace(/\n\s*/g, '');

/** Nothing is copied into the image, so no secret can get into it: settings come with the container. */
export const DOCKERFILE = `FROM node:${NODE_MAJOR}-slim
WORKDIR /app
ARG PACKAGE=${name}@${version}
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund \${PACKAGE} \\
  && npm cache clean --force \\
  && install --directory --owner=node --group=node --mode=700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=${PORT} DATA_DIR=/data
EXPOSE ${PORT}
# root only where volumes belong to root, as on Render, Fly and Railway.
ARG RUN_AS=node
USER \${RUN_AS}
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \\
  CMD ${JSON.stringify(['node', '-e', IS_HEALTHY])}
# Node itself is process 1, so that it gets the signal to stop.
CMD ${JSON.stringify(COMMAND)}
`;

/** The image is made of the published package alone. */
export const DOCKERIGNORE = '*\n';

/** The port is published on loopback, for a reverse proxy on this machine. */
export const COMPOSE = `services:
  early-access:
    build: .
    env_file:
      - path: .env
        required: false
    environment:
      HOST: 0.0.0.0
      PORT: "${PORT}"
      DATA_DIR: /data
    ports:
      - "127.0.0.1:${PORT}:${PORT}"
    volumes:
      - data:/data
      # Files and folders that settings name: SIGNUP_FIELDS=settings/fields.json, PAGE_TEXTS=settings/texts.json,
      # BRAND_STYLES=settings/styles.css, BRAND_MARK=settings/mark.png, BRAND_FONT=settings/font.woff2, MAIL_TEMPLATES=settings/emails,
      # SITE_DIR=settings/site, EMBED_DIR=settings/scripts.
      - ./settings:/app/settings:ro
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    mem_limit: 256m
    # It finishes requests and deliveries in progress within 8 seconds.
    stop_grace_period: 15s
    restart: unless-stopped

volumes:
  data:
`;
