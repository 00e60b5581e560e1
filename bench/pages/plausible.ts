import { init } from '@plausible-analytics/tracker';

init({ domain: 'shop.example', endpoint: '/api/event' });
