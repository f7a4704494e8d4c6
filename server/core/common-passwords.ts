import { foldText } from "./fold";

/** Common passwords; also matched with capitals, substitutions such as `@` for `a`, and endings. */
const COMMON_WORDS = new Set(
  `password passwort parola parolam sifre sifrem sifreniz motdepasse contrasena wachtwoord senha haslo passw passwd pass passphrase
  admin administrator root superuser user username usuario guest test tester testing demo default changeme letmein welcome
  login logon signin access secret private hidden master mastermind superman batman spiderman ironman wolverine avengers
  qwerty qwertyu qwertyui qwertyuiop qwertz qwertzui azerty azertyuiop asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl zxcv zxcvb
  zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc qweasd qweasdzxc qwaszx poiuytrewq lkjhgfdsa mnbvcxz yxcvbnm fgtyhn
  iloveyou iloveu loveyou lovely loveme lover love seniseviyorum askim askimsin bitanem canim hayatim sevgilim tatlim guzelim
  birtanem meleğim melegim prenses kralice aslanim kardesim annem babam annecim babacim bebegim gulum yavrum
  monkey dragon tiger lion eagle falcon panther jaguar leopard wolf shark dolphin butterfly pegasus phoenix unicorn kitten
  kitty puppy doggy bunny turtle penguin elephant giraffe panda bear horse mustang kelebek kartal aslan kaplan ejder kedi kopek
  sunshine moonlight starlight rainbow sunflower flower flowers blossom summer winter spring autumn sommer yaz kis bahar
  princess queen king prince angel angels devil demon heaven hell god jesus christ blessed faith freedom peace hope
  football soccer baseball basketball hockey tennis golf boxing wrestling swimming futbol basketbol voleybol
  fenerbahce fener galatasaray cimbom besiktas karakartal trabzonspor trabzon bursaspor barcelona realmadrid liverpool arsenal
  chelsea manchester juventus milan bayern dortmund yankees lakers cowboys steelers eagles raiders packers
  istanbul ankara izmir bursa antalya adana konya samsun kayseri eskisehir gaziantep diyarbakir mersin turkiye turkey turk
  ataturk mustafakemal cumhuriyet vatan bayrak bozkurt kurtlar polat
  london paris berlin madrid moscow rome newyork chicago boston dallas texas california florida america england france germany
  russia italy espana canada brazil mexico india pakistan china japan australia
  mustafa mehmet ahmet ali hasan huseyin ibrahim ismail osman omer yusuf murat emre burak cem can deniz onur serkan hakan volkan
  kemal okan ozan tolga ugur umut yasin yunus fatih furkan enes kaan kerem berkay berk baris arda eren selim sinan
  ayse fatma emine hatice zeynep elif merve esra busra kubra meryem melek sevgi sibel gamze gizem derya ebru ozlem pinar selin
  sevda tugba yasemin zehra aysegul asli burcu ceren damla ece irem ipek nazli
  michael jennifer jessica ashley amanda daniel matthew joshua andrew robert william james john david richard charles thomas
  christopher anthony nicholas alexander alexandra elizabeth michelle nicole samantha sarah hannah emily olivia sophia charlotte
  natasha tatiana vladimir dmitry sergey andrey maxim anastasia victoria veronica patricia barbara martina giulia francesca
  marco matteo lorenzo alessandro antonio giuseppe roberto carlos fernando miguel eduardo pedro diego juan jose maria isabel
  pierre jean marie camille nicolas julien sebastien stephane laurent hans peter stefan andreas wolfgang klaus jurgen sabine
  mohamed muhammad mohammed ahmed khaled omar hassan hussein fatima aisha mariam zainab habibi bismillah allah allahuakbar
  alhamdulillah inshallah maschallah masallah
  michelangelo leonardo donatello raphael einstein newton shakespeare mozart beethoven elvis beatles metallica nirvana slipknot
  eminem rihanna beyonce shakira madonna tarkan
  pokemon pikachu charizard naruto sasuke sakura goku vegeta minecraft fortnite roblox counterstrike csgo valorant leagueoflegends
  warcraft starcraft diablo zelda mario sonic tetris playstation nintendo xbox gamer player noob legend legends
  starwars darthvader skywalker yoda startrek matrix trinity morpheus neo hobbit gandalf frodo aragorn harrypotter hogwarts
  hermione dumbledore gameofthrones terminator rambo rocky scarface godfather joker
  computer laptop internet network server system windows microsoft google facebook instagram whatsapp telegram twitter youtube
  samsung iphone android apple macintosh linux ubuntu debian oracle mysql database postgres cisco router dell lenovo toshiba
  mercedes ferrari porsche lamborghini bugatti toyota honda nissan suzuki yamaha kawasaki ducati harley chevrolet camaro corvette
  mustang renault peugeot volkswagen audi bmw volvo hyundai tofas sahin dogan
  money dollar euro bitcoin business company office manager director boss student teacher doctor engineer soldier police
  asker polis hemsire ogretmen muhendis mudur patron ogrenci
  chocolate cookie cookies banana orange strawberry cherry lemon peach pepper ginger coffee pizza burger cheese butter sugar
  cikolata karpuz elma portakal limon cilek muz ekmek
  purple yellow orange silver golden black white green blue red pink siyah beyaz kirmizi mavi yesil sari mor
  hello hallo bonjour ciao merhaba selam salam privet namaste hola goodbye thankyou please
  trustno trustnoone whatever nothing something anything everything forever together always never maybe nobody somebody
  shadow ghost killer hunter ranger warrior knight ninja samurai pirate viking gladiator spartan hacker wizard magic dragonfly
  thunder lightning storm hurricane tornado volcano ocean mountain river forest diamond crystal emerald sapphire platinum
  michelle family mother father sister brother daughter mommy daddy mama papa baby babygirl babyboy honey sweetheart sweety
  sexy hottie playboy lovebug cutie pretty beautiful gorgeous handsome awesome amazing perfect fantastic wonderful
  fuckyou fuckoff fuckme asshole bitch bastard shithead bullshit
  abcdef abcdefg abcdefgh abcdefghi abcdefghij abcd abc aaa xyz qwe asd zxc
  tellal messaging messenger support helpdesk info contact website webmaster postmaster marketing sales
  january february march april june july august september october november december ocak subat mart nisan mayis haziran temmuz
  agustos eylul ekim kasim aralik monday tuesday wednesday thursday friday saturday sunday pazartesi sali carsamba persembe cuma
  cumartesi pazar`.split(/\s+/),
);

const SUBSTITUTIONS: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "€": "e",
  "0": "o",
  "1": "i",
  "!": "i",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Up to four digits, such as a year, or 12345…. */
const ENDING_PATTERN = /(?:\d{1,4}|12345\d{0,5})$/;
const MAX_GUESSABLE_LENGTH = 32;
/** Keyboard rows and diagonals; matched in both directions. */
const KEYBOARD_ROWS = [
  "01234567890123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "147258369",
  "159357",
  "112233445566778899",
  "123321",
];
const KEYBOARD_SEQUENCES = KEYBOARD_ROWS.flatMap((row) => [row, [...row].reverse().join("")]);

export function isCommonPassword(password: string): boolean {
  const folded = foldText(password);
  return /^(.{1,4})\1+$/su.test(folded) || (folded.length <= MAX_GUESSABLE_LENGTH && isGuessable(folded));
}

function isGuessable(folded: string): boolean {
  return (
    KEYBOARD_SEQUENCES.some((row) => row.includes(folded)) ||
    isDate(folded) ||
    [folded, reverseSubstitutions(folded)].some(isWordWithEnding) ||
    isWordWithEnding(reverseSubstitutions(folded.replace(ENDING_PATTERN, "")))
  );
}

function reverseSubstitutions(text: string): string {
  return text.replace(/[@43€01!$57]/g, (character) => SUBSTITUTIONS[character]!);
}

/** Matches a word, or the same word twice, with an optional ending or digits in front. */
function isWordWithEnding(text: string): boolean {
  const withoutEnding = text.replace(ENDING_PATTERN, "");
  const wordWithoutDigits = withoutEnding.replace(/^\d{1,4}/, "");
  return [withoutEnding, wordWithoutDigits, withoutEnding.slice(0, withoutEnding.length / 2)].some(
    (word, index) => COMMON_WORDS.has(word) && (index < 2 || word + word === withoutEnding),
  );
}

function isDate(text: string): boolean {
  const digits = text.replace(/[./-]/g, "");
  return /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/.test(
    digits,
  );
}
