import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatClock } from '../format/format.ts';
import { Button } from './button.tsx';
import styles from './states.module.css';
import ui from './ui.module.css';

interface StateProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Replaces missing content. Without an icon it shows hollow dots, because dots are the symbol of people. */
export function Empty({ icon: Icon, title, children }: StateProps) {
  return (
    <div className={styles.state}>
      {Icon ? <Icon aria-hidden /> : <span className={styles.nobody} />}
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

export function StateText({ children }: { readonly children: ReactNode }) {
  return <p className={styles.text}>{children}</p>;
}

interface FailedProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function Failed({ error, onRetry }: FailedProps) {
  return (
    <div role="alert">
      <Empty icon={CloudOff} title="This could not be loaded">
        <StateText>{error.message}</StateText>
        <Button onClick={onRetry}>Try again</Button>
      </Empty>
    </div>
  );
}

/** A placeholder while content loads. `bones` are the heights of its parts in rem. */
export function Loading({ bones = [8] }: { readonly bones?: readonly number[] }) {
  return (
    <div className={styles.skeleton}>
      <p role="status" className={ui.hidden}>
        Loading
      </p>
      {bones.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <div key={index} className={styles.bone} style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}

interface NoticeProps {
  readonly icon?: LucideIcon;
  readonly look?: 'warning';
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Not announced. Put a notice that appears later into an `Announced`. */
export function Notice({ icon: Icon = TriangleAlert, look, action, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${look ? styles[look] : ''}`}>
      <Icon aria-hidden />
      <div>{children}</div>
      {action}
    </div>
  );
}

/** A live region that announces its content. It must be in the page before the content, or screen readers ignore it. */
export function Announced({ children }: { readonly children: ReactNode }) {
  return (
    <div aria-live="polite" className={styles.announced}>
      {children}
    </div>
  );
}

interface ProgressBarProps {
  readonly label: string;
  /** A share from 0 to 1; undefined if unknown. */
  readonly value: number | undefined;
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  return <progress className={styles.progress} aria-label={label} value={value} />;
}

interface QueryStateProps<T> {
  readonly query: UseQueryResult<T, Error>;
  readonly bones?: readonly number[];
  readonly zone: string;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data of a query. If a refresh fails, the old data stays, with a notice of its time. */
export function QueryState<T>({ query, bones = [8], zone, children }: QueryStateProps<T>) {
  const { data, error, dataUpdatedAt, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) return error ? <Failed error={error} onRetry={retry} /> : <Loading bones={bones} />;
  return (
    <>
      <Announced>
        {error && (
          <Notice icon={CloudOff} look="warning" action={<Button onClick={retry}>Try again</Button>}>
            {error.message} Showing data from {formatClock(dataUpdatedAt, zone)}.
          </Notice>
        )}
      </Announced>
      {children(data)}
    </>
  );
}
