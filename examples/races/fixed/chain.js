// A race: one slow operation against a chain of quick ones. The settings are read while a profile is looked up in three steps; who
// shows the profile takes it for granted that the settings are there by then.
//
//   rota fuzz examples/races/chain.js
'use strict';
const fs = require('fs');

const settings = fs.promises.readFile(__filename, 'utf8').then((text) => {
  return { greeting: text.length > 0 ? 'Hello' : 'Good day' };
});

fs.stat(__dirname, function onAccount() {
  fs.stat(__filename, function onRights() {
    fs.access(__filename, async function onProfile() {
      console.log(`${(await settings).greeting}, Ada`);
    });
  });
});
