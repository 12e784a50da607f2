import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting } from './shared/key-parts.ts';

export const nullTemperaturePresent: Mutant = {
  id: 'null-temperature-present',
  breaks: 'An explicit null of temperature is hashed as present, unlike on the second host.',
  kills: ['cache-key.cross-host-parity'],
  parts: projecting((projected, request) =>
    member(request, 'temperature') === null ? { ...projected, temperature: null } : projected,
  ),
};
