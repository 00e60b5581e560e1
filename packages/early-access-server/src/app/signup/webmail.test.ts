import { expect, it } from 'vitest';
import { findWebmail } from './webmail.ts';

const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  'https://mail.google.com/mail/': ['gmail.com', 'googlemail.com'],
  'https://outlook.live.com/mail/': ['outlook.com', 'hotmail.fr', 'live.co.uk', 'msn.com', 'outlook.com.br'],
  'https://mail.yahoo.com/': ['yahoo.com', 'yahoo.fr', 'yahoo.co.jp', 'yahoo.com.ar', 'ymail.com', 'rocketmail.com'],
  'https://www.icloud.com/mail/': ['icloud.com', 'me.com', 'mac.com'],
  'https://mail.proton.me/': ['proton.me', 'protonmail.com', 'pm.me'],
  'https://app.tuta.com/': ['tuta.com', 'tuta.io', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'keemail.me'],
  'https://posteo.de/': ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.at', 'posteo.co.uk', 'posteo.com.br'],
  'https://www.gmx.net/': ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
  'https://www.gmx.com/': ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.es', 'gmx.fr'],
  'https://web.de/': ['web.de'],
  'https://app.fastmail.com/': ['fastmail.com', 'fastmail.fm'],
  'https://mail.aol.com/': ['aol.com'],
};

it.each(Object.entries(DOMAINS))('%s is the webmail of its own domains only', (url, domains) => {
  for (const domain of domains) {
    expect([domain, findWebmail(`"a@b"@${domain}`)]).toEqual([domain, url]);
    for (const other of [`x${domain}`, `x.${domain}`, `${domain}.evil.example`, `${domain}x1`])
      expect([other, findWebmail(`ada@${other}`)]).toEqual([other, undefined]);
  }
});

it.each(['acme.example', 'live.company', 'yahoo.c', 'outlook.com.b', 'hotmail.co.u1', 'posteo.x'])(
  'the webmail of %s is not known',
  (domain) => expect(findWebmail(`ada@${domain}`)).toBeUndefined(),
);
