import { Unstyled } from '@storybook/addon-docs/blocks';
import css from '../src/theme.css?raw';
import { type CustomProperty, parseCustomProperties } from './custom-properties.ts';
import './docs.css';

/** Lists the kit's custom properties, parsed from its stylesheet. */
export function CustomPropertiesTable() {
  return (
    <Unstyled>
      <table className="docs-table">
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Meaning</th>
            <th scope="col">Default</th>
          </tr>
        </thead>
        <tbody>
          {parseCustomProperties(css).map((property) => (
            <tr key={property.name}>
              <th scope="row">
                <code>{property.name}</code>
              </th>
              <td>{property.meaning}</td>
              <td>
                {property.isColor && <Swatches property={property} />}
                <code>{property.fallback}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Unstyled>
  );
}

/** Shows the default color in light and dark. */
function Swatches({ property: { copy } }: { property: CustomProperty }) {
  return (
    <span className="docs-swatches eak-admin" aria-hidden="true">
      {['light', 'dark'].map((scheme) => (
        <span key={scheme} className="docs-swatch eak-admin" style={{ colorScheme: scheme }}>
          <span style={{ background: `var(${copy})` }} />
        </span>
      ))}
    </span>
  );
}
