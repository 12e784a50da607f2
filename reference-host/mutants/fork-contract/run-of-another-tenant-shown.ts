import { servingForeign } from '../shared/foreign-readings.ts';

export const runOfAnotherTenantShown = servingForeign('run-of-another-tenant-shown', {
  breaks: 'Another tenant can read the snapshot of a run.',
  kills: ['fork.invisible-run.run'],
  fits: (method, path) => method === 'GET' && /^\/v1\/runs\/[^/:]+$/.test(path),
});
