import { servingForeign } from '../shared/foreign-readings.ts';

export const eventsOfAnotherTenantShown = servingForeign('events-of-another-tenant-shown', {
  breaks: 'Another tenant can read the events of a run.',
  kills: ['fork.invisible-run.events'],
  fits: (method, path) => method === 'GET' && path.endsWith('/events'),
});
