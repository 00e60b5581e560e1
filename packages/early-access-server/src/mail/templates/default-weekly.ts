import { layOut } from './default-layout.ts';
import type { MailTemplate, WeeklyData } from './template.ts';

/** The admin's email about the last week, for a host without its own template. */
export const defaultWeekly: MailTemplate<WeeklyData> = (data) =>
  layOut(data, {
    language: 'en',
    subject: `${data.name}: ${data.period}`,
    preview: data.figures.map(({ label, value }) => `${label}: ${value}`).join(', '),
    opening: {
      heading: 'Your last week',
      intro: `This is the week of ${data.period} on ${data.host}, compared with the week before.`,
    },
    figures: data.figures.map(({ label, value, change }) => ({ label, value, note: change })),
    button: { label: 'Open dashboard', target: data.dashboardUrl, inText: true },
    closing: {
      heading: 'No longer interested?',
      text: 'Switch this email off in the settings of the dashboard.',
    },
    footer: [
      {
        text: 'You received this email because you asked for it in the dashboard of',
        link: { label: data.host, target: data.url },
      },
    ],
  });
