// Loaded before the program (`node --require`): no SQLite driver is at hand, neither the package nor Node's own module.
const Module = require('node:module');

const load = Reflect.get(Module.prototype, 'require');
Module.prototype.require = function requireOther(name) {
  if (name === '@photostructure/sqlite') throw new Error(`${name} is not installed`);
  return Reflect.apply(load, this, [name]);
};
const builtin = process.getBuiltinModule.bind(process);
process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : builtin(name));
