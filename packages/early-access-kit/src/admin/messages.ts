import type { AdminMessages } from '../core/messages.ts';

/** The overlay's English texts. */
export const englishAdminMessages: AdminMessages = {
  accessTitle: 'Admin Access',
  accessEmailLabel: 'Admin email',
  accessSubmit: 'Access Analytics',
  accessChecking: 'Checking…',
  accessInvalid: 'Invalid admin email',
  accessUnavailable: 'The address could not be checked. Please try again in a moment.',
  close: 'Close',
  overviewTitle: 'Analytics Overview',
  overviewLoading: 'Loading the figures…',
  overviewEmpty: 'No visits and no signups yet.',
  overviewUnavailable: 'The figures cannot be loaded right now.',
  retry: 'Try again',
  uniqueVisitors: 'Unique Visitors',
  emailSignups: 'Email Signups',
  bounceRate: 'Bounce rate',
  averageDuration: 'Average visit',
  lastThirtyDays: 'Last 30 days',
  allTime: 'All time',
  logout: 'Admin Logout',
  openDashboard: 'Open dashboard',
  ignoreOwnVisits: 'Don’t count my own visits',
};
