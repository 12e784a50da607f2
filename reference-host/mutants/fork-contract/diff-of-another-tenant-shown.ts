import { servingForeign } from '../shared/foreign-readings.ts';

export const diffOfAnotherTenantShown = servingForeign('diff-of-another-tenant-shown', {
  breaks: 'Another tenant can compare a run with its replay.',
  kills: ['fork.invisible-run.diff'],
  fits: (method, path) => method === 'GET' && path.endsWith(':diff'),
});
