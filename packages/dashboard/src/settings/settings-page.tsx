import { useMutation, useQueryClient } from '@tanstack/react-query';
import { areOwnVisitsIgnored, ignoreOwnVisits } from 'early-access-kit/tracker';
import {
  type AdminSettings,
  type SessionResponse,
  SIGNUP_NOTICES,
  type SignupNotices,
} from 'early-access-server/admin-api';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { browserZone } from '../format/format.ts';
import { Passkeys } from '../passkeys/passkeys.tsx';
import type { PageProps } from '../shell/pages.ts';
import { useMay } from '../shell/role.ts';
import { OverviewLinks } from '../team/overview-links.tsx';
import { ROLE_TEXTS } from '../team/role-texts.ts';
import { Team } from '../team/team.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { Sessions } from './sessions.tsx';
import { SwitchSetting } from './setting.tsx';
import styles from './settings.module.css';
import { SignUps } from './sign-ups.tsx';

const BROWSER_ZONE = '';

const NOTICE_NAMES: Readonly<Record<SignupNotices, string>> = {
  off: 'Never',
  each: 'At each signup, at most every five minutes',
  daily: 'Once a day',
};

export function SettingsPage({ session, zone }: PageProps) {
  const save = useSaveSettings(session);
  const may = useMay();
  const { settings, email, role } = session;
  return (
    <>
      <PageHead title="Settings" subtitle={`Signed in as ${email}, ${ROLE_TEXTS[role].name.toLowerCase()}`} />
      <div className={ui.stack}>
        <Card title="Your dashboard">
          <div className={`${styles.setting} ${styles.wide}`}>
            <label className={styles.text} htmlFor="zone">
              Time zone
              <span className={ui.hint}>All figures use the days and hours of this zone.</span>
            </label>
            <select
              id="zone"
              className={`${ui.input} ${styles.zone}`}
              value={settings.time_zone ?? BROWSER_ZONE}
              onChange={({ target }) => save({ time_zone: target.value === BROWSER_ZONE ? null : target.value })}
            >
              <option value={BROWSER_ZONE}>The browser’s ({browserZone()})</option>
              {listZones(settings.time_zone).map((name) => (
                <option key={name} value={name}>
                  {name.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
          </div>
          <div className={`${styles.setting} ${styles.wide}`}>
            <label className={styles.text} htmlFor="signup-notices">
              Email me about new signups
              <span className={ui.hint}>Contains their number, but no addresses.</span>
            </label>
            <select
              id="signup-notices"
              className={`${ui.input} ${styles.zone}`}
              value={settings.signup_notices}
              onChange={({ target }) =>
                save({ signup_notices: SIGNUP_NOTICES.find((known) => known === target.value) ?? 'off' })
              }
            >
              {SIGNUP_NOTICES.map((choice) => (
                <option key={choice} value={choice}>
                  {NOTICE_NAMES[choice]}
                </option>
              ))}
            </select>
          </div>
          <SwitchSetting
            name="Weekly email"
            hint="Last week’s overview, on Mondays."
            checked={settings.weekly_email}
            onChange={(weekly_email) => save({ weekly_email })}
          />
          <OwnVisits />
        </Card>
        <Passkeys zone={zone} />
        <Sessions zone={zone} />
        {may() && (
          <>
            <SignUps zone={zone} />
            <Team zone={zone} />
            <OverviewLinks zone={zone} />
            <ApiKeys zone={zone} />
          </>
        )}
      </div>
    </>
  );
}

/** Shows a change immediately, and reverts it if it could not be saved. */
function useSaveSettings(session: SessionResponse): (change: Partial<AdminSettings>) => void {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const { mutate } = useMutation({
    mutationFn: (settings: AdminSettings) => api.post('/settings', settings),
    onMutate: (settings) => client.setQueryData<SessionResponse>(['session'], { ...session, settings }),
    onError: (error) => {
      client.setQueryData(['session'], session);
      notify.failed(error);
    },
    onSuccess: () => notify.done('Saved.'),
  });
  return (change) => mutate({ ...session.settings, ...change });
}

/** Excludes this browser's sessions from the figures. Stored in the browser, where the tracker reads it. */
function OwnVisits() {
  const [isIgnored, setIgnored] = useState(() => areOwnVisitsIgnored() === true);
  return (
    <SwitchSetting
      name="Don’t count my own sessions"
      hint="Applies to this browser only."
      checked={isIgnored}
      onChange={(ignored) => {
        ignoreOwnVisits(ignored);
        setIgnored(areOwnVisitsIgnored() === true);
      }}
    />
  );
}

/** Adds UTC and the chosen zone: browsers do not list names that are only aliases. */
function listZones(chosen: string | null): readonly string[] {
  return [...new Set(['UTC', ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])];
}
