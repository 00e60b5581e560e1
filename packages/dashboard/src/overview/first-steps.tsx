import { FIRST_STEPS, type FirstStep, type FirstStepsResponse } from 'early-access-server/admin-api';
import { Circle, CircleCheck, CircleHelp, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../api/use-read.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import ui from '../ui/ui.module.css';
import styles from './first-steps.module.css';
import { areFirstStepsDismissed, dismissFirstSteps } from './first-steps-dismissed.ts';

const DOCS = 'https://github.com/early-access-kit/early-access-kit/blob/main';

const STATES = {
  open: { icon: Circle, label: 'To do', look: ui.muted },
  done: { icon: CircleCheck, label: 'Done', look: ui.good },
  elsewhere: { icon: CircleHelp, label: 'Unknown', look: ui.muted },
} as const;

/** Setup tasks for a new server. Shows nothing once every task that the server can detect is done. */
export function FirstSteps() {
  const [isDismissed, setDismissed] = useState(areFirstStepsDismissed);
  const { data } = useRead<FirstStepsResponse>(['first-steps'], '/first-steps', { enabled: !isDismissed });
  const dismiss = () => {
    dismissFirstSteps();
    setDismissed(true);
  };
  if (isDismissed || data === undefined || FIRST_STEPS.every((step) => data.steps[step] !== 'open')) return null;
  return (
    <Card
      title="First steps"
      actions={
        <Button look="quiet" icon aria-label="Dismiss the first steps" title="Dismiss" onClick={dismiss}>
          <X aria-hidden />
        </Button>
      }
    >
      <ol className={styles.steps}>
        {FIRST_STEPS.map((step) => {
          const { icon: Icon, label, look } = STATES[data.steps[step]];
          const { name, hint, link } = describeStep(step, data);
          return (
            <li key={step} className={styles.step}>
              <Icon className={look} role="img" aria-label={label} />
              <div>
                <b>{name}</b> <span className={ui.muted}>{hint}</span>
              </div>
              {data.steps[step] !== 'done' && link}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

interface StepTexts {
  readonly name: string;
  readonly hint: string;
  readonly link: ReactNode;
}

function describeStep(step: FirstStep, { store, site_url }: FirstStepsResponse): StepTexts {
  switch (step) {
    case 'sender':
      return {
        name: 'Set up the sender',
        hint: 'Until SMTP_URL and MAIL_FROM are set, emails reach no one.',
        link: <Link to="?page=mail">Mail</Link>,
      };
    case 'form':
      return {
        name: 'Connect a form',
        hint: 'Add it to your page and open the page once in a private window: your own sessions are not counted.',
        link: <Outside href={`${DOCS}/README.md#embed-it`}>How to embed it</Outside>,
      };
    case 'signup':
      return {
        name: 'Sign up yourself',
        hint: 'Try it as a visitor, with one of your addresses.',
        link: <Outside href={site_url}>Your page</Outside>,
      };
    case 'backup':
      return { name: 'Back up', ...describeBackup(store) };
  }
}

function describeBackup(store: FirstStepsResponse['store']): Pick<StepTexts, 'hint' | 'link'> {
  if (store === 'sqlite') {
    return {
      hint: 'Every day, to another machine. Health shows the last backup.',
      link: <Link to="?page=health">Health</Link>,
    };
  }
  const hint = `This server cannot see ${store === 'firestore' ? 'Firestore backups. Schedule them once in Google Cloud.' : 'your database’s backups. Use pg_dump or your provider’s backups.'}`;
  const page = store === 'firestore' ? 'deploy-firebase.md#budget-alerts-and-backups' : 'postgres.md';
  return { hint, link: <Outside href={`${DOCS}/docs/${page}`}>How to back up</Outside> };
}

function Outside({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
