import fc from 'fast-check';

// By default, fast-check generates about ten elements or characters, whatever `maxLength` says, so a test would never
// reach the limit that it checks.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

export { fc };
