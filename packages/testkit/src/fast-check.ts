import fc from 'fast-check';

// By default, fast-check generates about ten elements or characters even if `maxLength` is larger, so tests would never
// reach the limits that they check.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

export { fc };
