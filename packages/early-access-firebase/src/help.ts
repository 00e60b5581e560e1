import { ADMIN_COMMANDS_HELP } from 'early-access-server/app';
import { DASHBOARD_HELP } from './init/dashboard-command.ts';
import { INIT_HELP } from './init/init-command.ts';
import { RULES_HELP } from './rules/rules-command.ts';

export const HELP = `The server side of early-access-kit on Firebase: npx early-access-firebase <command>, or --help

A project:
${INIT_HELP}${DASHBOARD_HELP}${RULES_HELP}
The admin's commands:
${ADMIN_COMMANDS_HELP}
The admin's commands sign in with Google's default credentials (gcloud auth application-default login), to the project that
GOOGLE_CLOUD_PROJECT names. DATABASE_ID names its database, if it is not the default one.
`;
