import { servingForeign } from '../shared/foreign-readings.ts';

export const pollOfAnotherTenantShown = servingForeign('poll-of-another-tenant-shown', {
  breaks: 'Another tenant can poll the events of a run.',
  kills: ['fork.invisible-run.poll'],
  fits: (method, path) => method === 'GET' && path.endsWith('/events/poll'),
});
