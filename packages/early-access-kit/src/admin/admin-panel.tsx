import { useEffect, useMemo } from 'react';
import { joinClassNames } from '../class-names.ts';
import type { EarlyAccess } from '../provider.tsx';
import { AccessDialog } from './access-dialog.tsx';
import { AnalyticsPanel } from './analytics-panel.tsx';
import { type AdminOverlayClassNames, ClassNamesProvider } from './class-names.ts';
import { CounterBox } from './counter-box.tsx';
import { englishAdminMessages } from './messages.ts';
import { useAdminController } from './use-admin.ts';

export interface AdminPanelProps {
  /** The provider's context, passed in because the panel imports nothing that visitors load. */
  context: EarlyAccess;
  /** The number of times the shortcut was pressed. Each press opens the access dialog or the analytics panel. */
  requests: number;
  /** Default: that of the adapter's server. False: no link. */
  dashboardUrl?: string | false | undefined;
  classNames?: AdminOverlayClassNames | undefined;
}

/** The opened overlay: the access dialog, or the counter box and the analytics panel. */
export function AdminPanel({ context, requests, dashboardUrl, classNames = {} }: AdminPanelProps) {
  const { adapter, messages: overrides, locale } = context;
  const messages = useMemo(() => ({ ...englishAdminMessages, ...overrides }), [overrides]);
  const { state, open, close, submit, retry, logOut } = useAdminController(adapter);

  useEffect(() => {
    if (requests > 0) open();
  }, [requests, open]);

  const asking = state.status === 'checking' || (state.status === 'locked' && state.open);
  return (
    <ClassNamesProvider value={classNames}>
      <div className={joinClassNames('eak-admin', classNames.root)} lang={locale}>
        {asking && (
          <AccessDialog
            checking={state.status === 'checking'}
            problem={state.status === 'locked' ? state.problem : null}
            messages={messages}
            onSubmit={submit}
            onClose={close}
          />
        )}
        {state.status === 'unlocked' && (
          <CounterBox summary={state.summary} messages={messages} locale={locale} onOpen={open} />
        )}
        {state.status === 'unlocked' && state.open && (
          <AnalyticsPanel
            summary={state.summary}
            messages={messages}
            locale={locale}
            dashboardUrl={dashboardUrl ?? adapter.endpoint?.replace(/[^/]*$/, 'admin')}
            onClose={close}
            onRetry={retry}
            onLogOut={logOut}
          />
        )}
      </div>
    </ClassNamesProvider>
  );
}
