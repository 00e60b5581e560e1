import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Spanish, understood in Spain and Latin America, addressing the person as «tú». */
export const es: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Ya estás en la lista de ${name}`,
    preview: 'Te escribiremos cuando llegue tu turno. No tienes que hacer nada más.',
    heading: 'Ya estás en la lista',
    intro: `Gracias por apuntarte. Tu lugar en la lista de ${name} está guardado.`,
    button: `Visitar ${host}`,
    closing: {
      heading: 'Qué pasa ahora',
      text: 'No tienes que hacer nada más. Te escribiremos cuando llegue tu turno.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Confirma tu correo para ${name}`,
    preview: 'Confirma tu dirección y guardaremos tu lugar en la lista.',
    heading: 'Un paso más',
    intro: `Gracias por apuntarte. Confirma que esta es tu dirección de correo y guardaremos tu lugar en la lista de ${name}.`,
    button: 'Confirmar mi correo',
    closing: {
      heading: 'Conviene saber',
      text: `El enlace funciona durante ${days} días. Si no has sido tú, ignora este correo y borraremos tu dirección.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Tu lugar en la lista de ${name}`,
    preview: 'Tu dirección de correo aún no está confirmada.',
    heading: '¿Te sigue interesando?',
    intro: `Hace unos días te apuntaste a ${name}, pero tu dirección de correo aún no está confirmada. Confírmala y guardaremos tu lugar en la lista.`,
    button: 'Confirmar mi correo',
    closing: {
      heading: '¿Has cambiado de idea?',
      text: `Entonces ignora este correo. No te lo recordaremos otra vez y borraremos tu dirección. El enlace funciona durante ${days} días.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Tu invitación a ${name}`,
    preview: 'Ha llegado tu turno. Gracias por esperar.',
    heading: 'Ha llegado tu turno',
    intro: `Gracias por esperar. Tu lugar en ${name} está listo: abre tu invitación para empezar.`,
    button: 'Aceptar la invitación',
    closing: {
      heading: 'Conviene saber',
      text: `El enlace es solo para ti. Funciona una vez, durante ${days} días.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Tu página en la lista de ${name}`,
    preview: 'El enlace que has pedido.',
    heading: 'Tu página',
    intro: `Aquí tienes el enlace que has pedido. Tu página muestra cómo estás en la lista de ${name} y qué datos tuyos se guardan.`,
    button: 'Abrir tu página',
    closing: {
      heading: 'Conviene saber',
      text: 'El enlace es solo para ti. Si no lo has pedido, ignora este correo: no ha cambiado nada.',
    },
  }),
  footer: {
    onListOf: 'Recibes este correo porque esta dirección se añadió a la lista de',
    yourData: '¿Quieres ver tus datos o cambiar de dirección?',
    yourPage: 'Abrir tu página',
    unwanted: '¿No has sido tú o has cambiado de idea?',
    deleteAddress: 'Pídenos que borremos tu dirección',
    unsubscribe: 'Darme de baja',
    askedFor: 'Recibes este correo porque lo pediste en el panel de',
    signsIn: 'Recibes este correo porque esta dirección inicia sesión en el panel de',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('es', count, {
      one: '# inscripción nueva',
      many: '# de inscripciones nuevas',
      other: '# inscripciones nuevas',
    });
    return {
      subject: `${name}: ${signups}`,
      preview: `Desde el ${since}`,
      heading: signups,
      intro: `La lista de ${name} sigue creciendo: ${signups} desde el ${since}.`,
      button: 'Ver la lista',
      closing: {
        heading: '¿Demasiados correos?',
        text: 'El panel puede enviarte un solo correo al día, o ninguno.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: un webhook se ha desactivado`,
    preview: `No se ha podido entregar nada a ${endpoint} durante un día.`,
    heading: 'Un webhook se ha desactivado',
    intro: `No se ha podido entregar nada a ${endpoint} durante un día, así que ya no recibe eventos. El último intento terminó con: ${reason}.`,
    button: 'Abrir el panel',
    closing: {
      heading: 'Qué hacer',
      text: 'Revisa el destino y vuelve a activarlo en el panel. Entonces se entregarán los eventos del último día.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: las campañas están en pausa`,
    preview: `${complaints} de ${emails} correos se han marcado como spam.`,
    heading: 'Las campañas están en pausa',
    intro: `Desde el ${since}, ${complaints} de ${emails} correos de ${name} se han marcado como spam (${rate}). Por encima del ${limit}, los proveedores dejan de aceptar tus correos, así que todas las campañas que se estaban enviando están ahora en pausa, también los correos de la serie. Las confirmaciones y las invitaciones continúan.`,
    button: 'Abrir el panel',
    closing: {
      heading: 'Qué hacer',
      text: 'Averigua quién no esperaba tu correo: casi siempre son personas de una lista antigua o importada. Exclúyelas del público y reanuda la campaña en el panel. Hasta entonces no se envía el resto.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: se ha añadido una llave de acceso`,
    preview: `Desde el ${since} puede iniciar sesión en tu cuenta del panel.`,
    heading: 'Se ha añadido una llave de acceso',
    intro: `El ${since} se añadió una llave de acceso a tu cuenta del panel de ${name}. Permite iniciar sesión sin correo.`,
    button: 'Abrir el panel',
    closing: {
      heading: '¿No has sido tú?',
      text: 'Entonces otra persona está usando tu cuenta. Elimina la llave de acceso en los ajustes del panel y elige «Sign out everywhere».',
    },
  }),
};
