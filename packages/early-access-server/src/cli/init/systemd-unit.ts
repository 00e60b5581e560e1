import { MEMORY_FLAGS } from './container-files.ts';

/**
 * A systemd unit with a dynamic user and only the rights that the server needs. `MemoryDenyWriteExecute` is impossible
 * because V8 generates machine code. `node` is the executable; `folder` contains `.env` and `node_modules`. Both paths
 * are absolute.
 */
export function systemdUnit({ node, folder }: { readonly node: string; readonly folder: string }): string {
  return `# In ${folder}, once: npm install early-access-server
# Then: sudo cp early-access.service /etc/systemd/system/ && sudo systemctl enable --now early-access
# The folder and Node must be readable by every user; .env need not be, because systemd reads it.
[Unit]
Description=Early access server
Documentation=https://github.com/early-access-kit/early-access-kit/blob/main/docs/operate.md
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${quoted(node)} ${MEMORY_FLAGS.join(' ')} ${quoted(`${folder}/node_modules/early-access-server/dist/cli.js`)}
EnvironmentFile=-${escaped(folder)}/.env
# The data is in /var/lib/early-access. Leave DATA_DIR in .env commented out.
Environment=DATA_DIR=%S/early-access NODE_ENV=production
StateDirectory=early-access
StateDirectoryMode=0700
WorkingDirectory=%S/early-access
DynamicUser=yes
UMask=0077
Restart=on-failure
RestartSec=2
# It finishes requests and deliveries in progress within 8 seconds.
TimeoutStopSec=15
MemoryMax=256M

ProtectSystem=strict
ProtectHome=read-only
ProtectProc=invisible
ProcSubset=pid
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** Percent signs start specifiers in systemd. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

function quoted(path: string): string {
  return `"${escaped(path).replace(/["\\$]/g, (character) => (character === '$' ? '$$' : `\\${character}`))}"`;
}
