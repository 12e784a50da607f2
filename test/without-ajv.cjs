// Loaded before the program (`node --require`): what is to be validated cannot be compiled.
const Module = require('node:module');

const load = Reflect.get(Module.prototype, 'require');
Module.prototype.require = function requireOther(name) {
  if (/^ajv(?:$|\/dist\/2020)/u.test(name)) throw new Error(`${name} is not to be loaded`);
  return Reflect.apply(load, this, [name]);
};
