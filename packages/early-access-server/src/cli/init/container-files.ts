import packageJson from '../../../package.json' with { type: 'json' };

const { name, version } = packageJson;

/** The long-term release that the image runs on. */
const NODE_MAJOR = 24;
const PORT = 4173;

/** Nothing is copied into the image, so no secret can get into it: settings come with the container. */
export const DOCKERFILE = `FROM node:${NODE_MAJOR}-slim
WORKDIR /app
ARG PACKAGE=${name}@${version}
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund \${PACKAGE} \\
  && npm cache clean --force \\
  && install --directory --owner=node --group=node --mode=700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=${PORT} DATA_DIR=/data
VOLUME /data
EXPOSE ${PORT}
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that it gets the signal to stop.
CMD ["node", "node_modules/${name}/dist/cli.js"]
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
