import 'early-access-kit/styles.css';
import 'early-access-kit/themes/lagoon.css';
