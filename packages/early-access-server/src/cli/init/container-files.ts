import packageJson from '../../../package.json' with { type: 'json' };

const { name, version } = packageJson;

/** The Node LTS release of the image. */
const NODE_MAJOR = 24;
const PORT = 4173;

/**
 * Without limits, Node's heap would grow with the load up to the machine's memory. With them, a server that stores
 * 2,000 signups a second stays below 256 MB.
 */
export const MEMORY_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=128'] as const;

/** The exec form starts no shell. */
const COMMAND = ['node', ...MEMORY_FLAGS, `node_modules/${name}/dist/cli.js`];

/** Does not use fetch, which would need more of the container's memory. */
const IS_HEALTHY = `require('node:http')
  .get('http://127.0.0.1:' + process.env.PORT + '/healthz', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('error', () => process.exit(1))`.replace(/\n\s*/g, '');

/** Nothing is copied into the image, so it cannot contain secrets; settings are passed to the container. */
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

/** The image only contains the published package. */
export const DOCKERIGNORE = '*\n';

/** The port is published on loopback only, for a reverse proxy on this machine. */
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
