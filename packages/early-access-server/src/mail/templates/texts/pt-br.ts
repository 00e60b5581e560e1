import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Brazilian Portuguese, addressing the person as “você”. */
export const ptBR: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Você está na lista de ${name}`,
    preview: 'Avisaremos por e-mail quando chegar a sua vez. Não é preciso fazer mais nada.',
    heading: 'Você está na lista',
    intro: `Agradecemos sua inscrição. Seu lugar na lista de ${name} está garantido.`,
    button: `Visitar ${host}`,
    closing: {
      heading: 'O que acontece agora',
      text: 'Não é preciso fazer mais nada. Avisaremos por e-mail quando chegar a sua vez.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Confirme seu e-mail para ${name}`,
    preview: 'Confirme seu endereço e garanta seu lugar na lista.',
    heading: 'Só mais um passo',
    intro: `Agradecemos sua inscrição. Confirme que este é o seu endereço de e-mail e garanta seu lugar na lista de ${name}.`,
    button: 'Confirmar meu e-mail',
    closing: {
      heading: 'É bom saber',
      text: `O link funciona por ${days} dias. Se não foi você, ignore este e-mail e excluiremos seu endereço.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Seu lugar na lista de ${name}`,
    preview: 'Seu endereço de e-mail ainda não foi confirmado.',
    heading: 'Ainda tem interesse?',
    intro: `Há alguns dias você se inscreveu em ${name}, mas seu endereço de e-mail ainda não foi confirmado. Confirme-o e garanta seu lugar na lista.`,
    button: 'Confirmar meu e-mail',
    closing: {
      heading: 'Mudou de ideia?',
      text: `Então ignore este e-mail. Não enviaremos outro lembrete e excluiremos seu endereço. O link funciona por ${days} dias.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Seu convite para ${name}`,
    preview: 'Chegou a sua vez. Agradecemos a espera.',
    heading: 'Chegou a sua vez',
    intro: `Agradecemos a espera. Seu lugar em ${name} está pronto: abra seu convite para começar.`,
    button: 'Aceitar o convite',
    closing: {
      heading: 'É bom saber',
      text: `O link é só para você. Ele funciona uma única vez, por ${days} dias.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Sua página na lista de ${name}`,
    preview: 'O link que você pediu.',
    heading: 'Sua página',
    intro: `Aqui está o link que você pediu. Sua página mostra como você está na lista de ${name} e quais dados seus estão armazenados.`,
    button: 'Abrir sua página',
    closing: {
      heading: 'É bom saber',
      text: 'O link é só para você. Se você não o pediu, ignore este e-mail: nada mudou.',
    },
  }),
  footer: {
    onListOf: 'Você recebeu este e-mail porque este endereço foi adicionado à lista de',
    yourData: 'Quer ver seus dados ou mudar de endereço?',
    yourPage: 'Abrir sua página',
    unwanted: 'Não foi você ou mudou de ideia?',
    deleteAddress: 'Peça para excluirmos seu endereço',
    unsubscribe: 'Cancelar inscrição',
    askedFor: 'Você recebeu este e-mail porque o solicitou no painel de',
    signsIn: 'Você recebeu este e-mail porque este endereço entra no painel de',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('pt-BR', count, {
      one: '# nova inscrição',
      many: '# de novas inscrições',
      other: '# novas inscrições',
    });
    return {
      subject: `${name}: ${signups}`,
      preview: `Desde ${since}`,
      heading: signups,
      intro: `Sua lista de ${name} está crescendo: ${signups} desde ${since}.`,
      button: 'Ver a lista',
      closing: {
        heading: 'Muitos e-mails?',
        text: 'O painel pode enviar um só e-mail por dia, ou nenhum.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: um webhook foi desativado`,
    preview: `Não foi possível entregar nada a ${endpoint} durante um dia.`,
    heading: 'Um webhook foi desativado',
    intro: `Não foi possível entregar nada a ${endpoint} durante um dia, por isso ele não recebe mais eventos. A última tentativa terminou com: ${reason}.`,
    button: 'Abrir o painel',
    closing: {
      heading: 'O que fazer',
      text: 'Verifique o endpoint e ative-o novamente no painel. Os eventos do último dia serão entregues então.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: as campanhas estão pausadas`,
    preview: `${complaints} de ${emails} e-mails foram denunciados como spam.`,
    heading: 'As campanhas estão pausadas',
    intro: `Desde ${since}, ${complaints} de ${emails} e-mails de ${name} foram denunciados como spam (${rate}). Acima de ${limit}, os provedores deixam de aceitar seus e-mails. Por isso, todas as campanhas que estavam sendo enviadas foram pausadas, inclusive os e-mails da série. As confirmações e os convites continuam.`,
    button: 'Abrir o painel',
    closing: {
      heading: 'O que fazer',
      text: 'Descubra quem não esperava seu e-mail: em geral, pessoas de uma lista antiga ou importada. Retire-as do público e retome a campanha no painel. Até lá, o restante não é enviado.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: uma chave de acesso foi adicionada`,
    preview: `Desde ${since}, ela pode entrar na sua conta do painel.`,
    heading: 'Uma chave de acesso foi adicionada',
    intro: `Em ${since}, uma chave de acesso foi adicionada à sua conta do painel de ${name}. Com ela, dá para entrar sem e-mail.`,
    button: 'Abrir o painel',
    closing: {
      heading: 'Não foi você?',
      text: 'Então outra pessoa está usando sua conta. Remova a chave de acesso nas configurações do painel e escolha “Sign out everywhere”.',
    },
  }),
};
