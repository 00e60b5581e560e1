import type { Preview } from '@storybook/react-vite';
import { LANGUAGES } from 'early-access-kit/messages';

/** Returns a language's name in the language itself, capitalized: `Français`. */
function nameLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Every global can be set in the toolbar or the URL: `&globals=theme:dark;locale:ar;motion:reduce`. */
export const globalTypes: NonNullable<Preview['globalTypes']> = {
  theme: {
    description: 'Theme and color scheme',
    toolbar: {
      title: 'Theme',
      icon: 'contrast',
      items: [
        { value: 'light', title: 'Default, light', icon: 'sun' },
        { value: 'dark', title: 'Default, dark', icon: 'moon' },
        { value: 'lagoon-light', title: 'Lagoon, light', icon: 'sun' },
        { value: 'lagoon-dark', title: 'Lagoon, dark', icon: 'moon' },
      ],
      dynamicTitle: true,
    },
  },
  brand: {
    description: 'Brand of pages, emails and foundations',
    toolbar: {
      title: 'Brand',
      icon: 'paintbrush',
      items: [
        { value: 'neutral', title: 'Neutral brand' },
        { value: 'printmargin', title: 'PrintMargin' },
        { value: 'bright', title: 'Bright accent' },
      ],
      dynamicTitle: true,
    },
  },
  locale: {
    description: 'Language of the texts and numbers',
    toolbar: {
      title: 'Language',
      icon: 'globe',
      items: [
        ...LANGUAGES.map((value) => ({ value, title: nameLanguage(value) })),
        { value: 'pseudo', title: 'Pseudo: longer, accented' },
      ],
      dynamicTitle: true,
    },
  },
  direction: {
    description: 'Direction of writing',
    toolbar: {
      title: 'Direction',
      icon: 'transfer',
      items: [
        { value: 'auto', title: 'Direction of the language' },
        { value: 'ltr', title: 'Left to right' },
        { value: 'rtl', title: 'Right to left' },
      ],
      dynamicTitle: true,
    },
  },
  motion: {
    description: 'Reduced motion',
    toolbar: {
      title: 'Motion',
      icon: 'lightning',
      items: [
        { value: 'system', title: 'Motion as the system has it' },
        { value: 'reduce', title: 'Reduced motion' },
      ],
      dynamicTitle: true,
    },
  },
};

/** The system's color scheme. Tests set theirs explicitly. */
const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

export const initialGlobals = {
  theme: systemTheme,
  brand: 'neutral',
  locale: 'en',
  direction: 'auto',
  motion: 'system',
};

const viewport = (name: string, width: number, height: number, type: 'mobile' | 'tablet' | 'desktop') => ({
  name,
  styles: { width: `${width}px`, height: `${height}px` },
  type,
});

export const viewports = {
  /** WCAG 1.4.10: a window of 1280 by 1024 pixels at 400% zoom. */
  zoom: viewport('400% zoom', 320, 256, 'mobile'),
  small: viewport('Small phone', 320, 640, 'mobile'),
  phone: viewport('Phone', 390, 844, 'mobile'),
  mail: viewport('Mail program', 600, 800, 'tablet'),
  tablet: viewport('Tablet', 768, 1024, 'tablet'),
  laptop: viewport('Laptop', 1024, 768, 'desktop'),
  desktop: viewport('Desktop', 1440, 900, 'desktop'),
};
