import * as parameters from './params.ts';

/** The parameters that are no secrets. */
export function plainParameters() {
  return Object.values(parameters).flatMap((parameter) =>
    parameter === null || 'label' in parameter.options ? [] : [parameter],
  );
}

/**
 * A dotenv file of the parameters with their defaults; those without a default are comments, and secrets are left out. `firebase deploy`
 * asks for each parameter that no file has a value of, and without a terminal it fails, even if there is a default.
 */
export function parameterFile(): string {
  return plainParameters()
    .map(({ name, options }) => {
      const value = 'default' in options ? options.default : undefined;
      return `# ${options.description}\n${value === undefined ? `#${name}=` : `${name}=${value}`}\n`;
    })
    .join('\n');
}
