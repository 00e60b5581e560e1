import Plausible from 'plausible-tracker';

Plausible({ domain: 'shop.example' }).enableAutoPageviews();
