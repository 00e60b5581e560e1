import 'early-access-kit/embed';
