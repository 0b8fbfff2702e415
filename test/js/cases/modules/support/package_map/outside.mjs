import 'first';
