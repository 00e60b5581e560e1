import type { OwnPageTexts } from './en.ts';

/** Brazilian Portuguese, addressing the visitor as “você”. */
export const ptBR: OwnPageTexts = {
  unconfirmedText: 'Enviamos um e-mail para você. Abra o link que está nele para confirmar seu endereço.',
  duplicateText: 'Não é preciso fazer mais nada. Enviaremos um e-mail quando o beta estiver pronto.',
  invalidText: 'Volte e verifique o endereço. Ele deve ser parecido com voce@example.com.',
  missingFieldTitle: 'Falta alguma coisa',
  missingFieldText: 'Volte e preencha este campo:',
  invalidFieldTitle: 'Algo precisa ser corrigido',
  invalidFieldText: 'Volte e verifique este campo:',
  failedText: 'Volte e envie o formulário novamente em um minuto.',
  refusedTitle: 'Não é possível se inscrever aqui com este formulário',
  noOriginText:
    'A página que contém o formulário não informa a qual site pertence. Abra-a em uma aba própria e envie o formulário por lá. Se a página é sua: um iframe com “sandbox” precisa de “allow-same-origin”, e a página, de uma política de referência que envie sua origem.',
  foreignOriginText:
    'Este servidor não aceita inscrições da página de onde você veio. Se a página é sua, a origem dela precisa ser permitida nas configurações do servidor.',
  confirmTitle: 'Confirme seu endereço de e-mail',
  confirmText: 'Um clique e você estará na lista.',
  confirmButton: 'Confirmar',
  confirmNeedsScripts: 'Esta página precisa de JavaScript. Ative-o ou abra o link em outro navegador.',
  alreadyConfirmedTitle: 'Você já está na lista!',
  expiredTitle: 'Este link expirou',
  expiredText: 'Um link de confirmação vale por uma semana. Podemos enviar um novo para você.',
  renewButton: 'Enviar um novo link',
  openInbox: 'Abrir o e-mail',
  renewedTitle: 'Verifique seu e-mail',
  renewedText: 'Se seu endereço ainda não foi confirmado, um novo e-mail está a caminho.',
  unknownTitle: 'Este link não funciona',
  unknownText: 'Talvez ele esteja incompleto: abra-o de novo a partir do e-mail ou copie-o por inteiro.',
  tryLater: 'Não deu certo. Tente novamente em um minuto.',
  unsubscribeTitle: 'Cancelar inscrição?',
  unsubscribeText: 'Você não receberá mais nossos e-mails.',
  unsubscribeButton: 'Cancelar inscrição',
  unsubscribedTitle: 'Sua inscrição foi cancelada',
  unsubscribedText: 'Você não receberá mais nossos e-mails. Se mudar de ideia, inscreva-se novamente na nossa página.',
  back: 'Voltar à página',
};
