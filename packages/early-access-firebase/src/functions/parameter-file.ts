import * as parameters from './params.ts';

/**
 * A dotenv file of the parameters with their defaults; those without a default are comments, and secrets are left out. `firebase deploy`
 * asks for each parameter that no file has a value of, and without a terminal it fails, even if there is a default.
 */
export function parameterFile(): string {
  return Object.values(parameters)
    .flatMap((parameter) => {
      if (parameter === null || 'label' in parameter.options) return [];
      const { name, options } = parameter;
      const value = 'default' in options ? options.default : undefined;
      return `# ${options.description}\n${value === undefined ? `#${name}=` : `${name}=${value}`}\n`;
    })
    .join('\n');
}
