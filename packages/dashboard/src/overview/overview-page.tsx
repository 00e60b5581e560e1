import { keepPreviousData } from '@tanstack/react-query';
import type { DashboardResponse } from 'early-access-server/admin-api';
import { lazy, Suspense, useEffect } from 'react';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatNumber, formatPeriod } from '../format/format.ts';
import { type PageProps, usePageState } from '../shell/pages.ts';
import { useMay } from '../shell/role.ts';
import { PageHead } from '../ui/card.tsx';
import { FilterChips } from '../ui/filter-chips.tsx';
import { Empty, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { Breakdowns } from './breakdown.tsx';
import { Chart, preloadPlot } from './chart.tsx';
import { nameDimension, valueName } from './dimensions.ts';
import { listFigures, type Measure, nameVisitors } from './figures.ts';
import { Funnel } from './funnel.tsx';
import styles from './overview.module.css';
import { dashboardQuery, type Filter, readOverview, toggleFilter, writeOverview } from './overview-state.ts';
import { RangePicker } from './range-picker.tsx';

const REFRESH_MS = 60_000;
// Loaded later, because they are rarely shown or not what an admin looks at first.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const SignUpsNotice = lazy(async () => ({ default: (await import('./sign-ups-notice.tsx')).SignUpsNotice }));
const Counting = lazy(async () => ({ default: (await import('./counting.tsx')).Counting }));
const LeftOut = lazy(async () => ({ default: (await import('./left-out.tsx')).LeftOut }));

/** While older data is still being counted, the page shows the progress. */
const REFRESH_WHILE_COUNTING_MS = 5_000;

export function OverviewPage({ zone }: Pick<PageProps, 'zone'>) {
  const may = useMay();
  const [state, setState] = usePageState('overview', readOverview, writeOverview);
  const params = dashboardQuery(state, zone);
  const query = useRead<DashboardResponse>(['dashboard', params.toString()], '/dashboard', {
    query: params,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && data.progress < 1 ? REFRESH_WHILE_COUNTING_MS : REFRESH_MS),
  });
  const { data } = query;
  useEffect(preloadPlot, []);
  const pick = (filter: Filter) => setState((current) => toggleFilter(current, filter));
  return (
    <>
      <PageHead title="Overview" subtitle={data && <Subtitle data={data} />}>
        <RangePicker
          state={state}
          shown={data ? getDays(data) : { from: '', to: '' }}
          onChange={(next) => setState(() => next)}
        />
      </PageHead>
      <div className={ui.stack} aria-busy={query.isPlaceholderData}>
        {may() && (
          <Suspense>
            <SignUpsNotice zone={zone} />
            <FirstSteps />
          </Suspense>
        )}
        <p role="status" className={ui.hidden}>
          {data && !query.isPlaceholderData && describeFigures(data, state.filter.length > 0)}
        </p>
        <FilterChips
          filters={state.filter.map(({ dimension, value }) => ({
            key: dimension,
            text: `${nameDimension(dimension)}: ${valueName(dimension, value)}`,
          }))}
          onRemove={(key) =>
            setState((current) => ({ ...current, filter: current.filter.filter(({ dimension }) => dimension !== key) }))
          }
        >
          <li className={ui.muted}>Daily visitors count once a day (UTC), by their first session of the day.</li>
        </FilterChips>
        <QueryState query={query} bones={[6.5, 24, 20]} zone={zone}>
          {(dashboard) => (
            <Content
              data={dashboard}
              filter={state.filter}
              measure={state.measure}
              onPick={pick}
              onMeasure={(measure) => setState((current) => ({ ...current, measure }), { replace: true })}
            />
          )}
        </QueryState>
      </div>
    </>
  );
}

function Subtitle({ data }: { readonly data: DashboardResponse }) {
  return (
    <span className={styles.subtitle}>
      <span>
        {formatPeriod(data.start, data.end, data.zone)}, {data.zone}
      </span>
      <span className={styles.live} data-idle={data.active_visitors === 0}>
        {formatCount(data.active_visitors, 'visitor', 'visitors')} on the site now
      </span>
    </span>
  );
}

interface ContentProps {
  readonly data: DashboardResponse;
  readonly filter: readonly Filter[];
  readonly measure: Measure;
  readonly onPick: (filter: Filter) => void;
  readonly onMeasure: (measure: Measure) => void;
}

function Content({ data, filter, measure, onPick, onMeasure }: ContentProps) {
  const { figures, breakdowns, pages, progress, failure, tallies } = data;
  const shared = { breakdowns, filter, onPick };
  return (
    <>
      {(failure !== null || progress < 1) && (
        <Suspense>
          <Counting {...data} />
        </Suspense>
      )}
      {data.first === null ? (
        <section className={ui.card}>
          <Empty title="No sessions yet">
            <StateText>
              Figures appear after the first session on a page with the session tracker. Your own sessions are not
              counted.
            </StateText>
          </Empty>
        </section>
      ) : (
        <>
          <Figures data={data} isFiltered={filter.length > 0} measure={measure} onMeasure={onMeasure} />
          <Chart {...data} measure={measure} isFiltered={filter.length > 0} />
          <div className={styles.grid}>
            <div className={ui.stack}>
              <Breakdowns
                title="Where they come from"
                dimensions={['referrer_host', 'utm_source', 'utm_medium', 'utm_campaign']}
                {...shared}
              />
              {breakdowns.country.some(({ value }) => value !== '') && (
                <Breakdowns title="Countries" dimensions={['country']} {...shared} />
              )}
              <Breakdowns title="Devices" dimensions={['device_type', 'browser', 'os']} {...shared} />
            </div>
            <div className={ui.stack}>
              <Funnel figures={figures} />
              <Breakdowns title="New or returning" dimensions={['visitor_type']} {...shared} />
              <Breakdowns title="Pages" dimensions={['landing_path']} pages={pages} {...shared} />
            </div>
          </div>
        </>
      )}
      <Suspense>
        <LeftOut tallies={tallies} hasFigures={data.first !== null} />
      </Suspense>
    </>
  );
}

interface FiguresProps extends Pick<ContentProps, 'data' | 'measure' | 'onMeasure'> {
  readonly isFiltered: boolean;
}

function Figures({ data, isFiltered, measure, onMeasure }: FiguresProps) {
  const { compared, zone } = data;
  const other = compared === null ? '' : `against ${formatPeriod(compared.start, compared.end, zone)}`;
  return (
    <fieldset className={styles.figures} aria-label="Figures. Choose one for the chart.">
      {listFigures(data, isFiltered).map(({ measure: own, name, value, change }) => (
        <button
          key={own}
          type="button"
          className={styles.figure}
          aria-pressed={own === measure}
          onClick={() => onMeasure(own)}
        >
          <span className={styles.figureName}>{name}</span> <span className={styles.value}>{value}</span>{' '}
          {change && (
            <span className={`${styles.change} ${change.look === 'same' ? ui.muted : ui[change.look]}`} title={other}>
              {change.text}
              <span className={ui.hidden}> {other}</span>
            </span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

function describeFigures({ figures }: DashboardResponse, isFiltered: boolean): string {
  return `${nameVisitors(isFiltered)}: ${formatNumber(figures.visitors)}. New signups: ${formatNumber(figures.signups)}.`;
}

/** Returns the first and last day of the shown period, in its zone. */
function getDays({ start, end, zone }: DashboardResponse): { readonly from: string; readonly to: string } {
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone });
  return { from: format.format(start), to: format.format(end - 1) };
}
