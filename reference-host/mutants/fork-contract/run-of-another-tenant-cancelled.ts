import { servingForeign } from '../shared/foreign-readings.ts';

export const runOfAnotherTenantCancelled = servingForeign('run-of-another-tenant-cancelled', {
  breaks: 'Another tenant can cancel a run.',
  kills: ['fork.invisible-run.cancel'],
  fits: (method, path) => method === 'POST' && path.endsWith('/cancel'),
});
