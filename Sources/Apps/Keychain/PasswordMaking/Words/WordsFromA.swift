// Word list of the Electronic Frontier Foundation (eff.org/dice), CC BY 3.0 US, changed.
// Made by packaging/word_list.py. See WordList.

/// The words from abacus to lyrics, each behind a space or a line break.
enum WordsFromA {
    static let text = """
        abacus abdomen abdominal abide abiding ability ablaze able abnormal abrasion abrasive abreast abridge abroad
        abruptly absence absentee absently absinthe absolute absolve abstain abstract absurd accent acclaim acclimate
        accompany account accuracy accurate accustom acetone achiness aching acid acorn acquaint acquire acre acrobat
        acronym acting action activate activator active activism activist activity actress acts acutely acuteness
        aeration aerobics aerosol aerospace afar affair affected affecting affection affidavit affiliate affirm affix
        afflicted affluent afford affront aflame afloat aflutter afoot afraid afterglow afterlife aftermath aftermost
        afternoon aged ageless agency agenda agent aggregate aghast agile agility aging agnostic agonize agonizing agony
        agreeable agreeably agreed agreeing agreement aground ahead ahoy aide aids aim ajar alabaster alarm albatross
        album alfalfa algebra algorithm alias alibi alienable alienate aliens alike alive alkaline alkalize almanac
        almighty almost aloe aloft aloha alone alongside aloof alphabet alright although altitude alto aluminum alumni
        always amaretto amaze amazingly amber ambiance ambiguity ambiguous ambition ambitious ambulance ambush amendable
        amendment amends amenity amiable amicably amid amigo amino amiss ammonia ammonium amnesty amniotic among amount
        amperage ample amplifier amplify amply amuck amulet amusable amused amusement amuser amusing anaconda anaerobic
        anagram anatomist anatomy anchor anchovy ancient android anemia anemic aneurism anew angelfish angelic anger
        angled angler angles angling angrily angriness anguished angular animal animate animating animation animator
        anime animosity ankle annex annotate announcer annoying annually annuity anointer another answering antacid
        antarctic anteater antelope antennae anthem anthill anthology antibody antics antidote antihero antiquely
        antiques antiquity antirust antitoxic antitrust antiviral antivirus antler antonym antsy anvil anybody anyhow
        anymore anyone anyplace anything anytime anyway anywhere aorta apache apostle appealing appear appease appeasing
        appendage appendix appetite appetizer applaud applause apple appliance applicant applied apply appointee
        appraisal appraiser apprehend approach approval approve apricot april apron aptitude aptly aqua aqueduct
        arbitrary arbitrate ardently area arena arguable arguably argue arise armadillo armband armchair armed armful
        armhole arming armless armoire armored armory armrest army aroma arose around arousal arrange array arrest
        arrival arrive arrogance arrogant arson art ascend ascension ascent ascertain ashamed ashen ashes ashy aside
        askew asleep asparagus aspect aspirate aspire aspirin astonish astound astride astrology astronaut astronomy
        astute atlantic atlas atom atonable atop atrium atrocious atrophy attach attain attempt attendant attendee
        attention attentive attest attic attire attitude attractor attribute atypical auction audacious audacity audible
        audibly audience audio audition augmented august authentic author autism autistic autograph automaker automated
        automatic autopilot available avalanche avatar avenge avenging avenue average aversion avert aviation aviator
        avid avoid await awaken award aware awhile awkward awning awoke awry axis babble babbling babied baboon backache
        backboard backboned backdrop backed backer backfield backfire backhand backing backlands backlash backless
        backlight backlit backlog backpack backpedal backrest backroom backshift backside backslid backspace backspin
        backstab backstage backtalk backtrack backup backward backwash backwater backyard bacon bacteria bacterium
        badass badge badland badly badness baffle baffling bagel bagful baggage bagged baggie bagginess bagging baggy
        bagpipe baguette baked bakery bakeshop baking balance balancing balcony balmy balsamic bamboo banana banish
        banister banjo bankable bankbook banked banker banking banknote bankroll banner bannister banshee banter
        barbecue barbed barbell barber barcode barge bargraph barista baritone barley barmaid barman barn barometer
        barrack barracuda barrel barrette barricade barrier barstool bartender barterer bash basically basics basil
        basin basis basket batboy batch bath baton bats battalion battered battering battery batting battle bauble
        bazooka blabber bladder blade blah blame blaming blanching blandness blank blaspheme blasphemy blast blatancy
        blatantly blazer blazing bleach bleak bleep blemish blend bless blighted blimp bling blinked blinker blinking
        blinks blip blissful blitz blizzard bloated bloating blob blog bloomers blooming blooper blot blouse blubber
        bluff bluish blunderer blunt blurb blurred blurry blurt blush blustery boaster boastful boasting boat bobbed
        bobbing bobble bobcat bobsled bobtail bodacious body bogged boggle bogus boil bok bolster bolt bonanza bonded
        bonding bondless boned bonehead boneless bonelike boney bonfire bonnet bonsai bonus bony boogeyman boogieman
        book boondocks booted booth bootie booting bootlace bootleg boots boozy borax boring borough borrower borrowing
        boss botanical botanist botany botch both bottle bottling bottom bounce bouncing bouncy bounding boundless
        bountiful bovine boxcar boxer boxing boxlike boxy breach breath breeches breeching breeder breeding breeze
        breezy brethren brewery brewing briar bribe brick bride bridged brigade bright brilliant brim bring brink
        brisket briskly briskness bristle brittle broadband broadcast broaden broadly broadness broadside broadways
        broiler broiling broken broker bronchial bronco bronze bronzing brook broom brought browbeat brownnose browse
        browsing bruising brunch brunette brunt brush brussels brute brutishly bubble bubbling bubbly buccaneer bucked
        bucket buckle buckshot buckskin bucktooth buckwheat buddhism buddhist budding buddy budget buffalo buffed buffer
        buffing buffoon buggy bulb bulge bulginess bulgur bulk bulldog bulldozer bullfight bullfrog bullhorn bullion
        bullish bullpen bullring bullseye bullwhip bully bunch bundle bungee bunion bunkbed bunkhouse bunkmate bunny
        bunt busboy bush busily busload bust busybody buzz cabana cabbage cabbie cabdriver cable caboose cache cackle
        cacti cactus caddie caddy cadet cadillac cadmium cage cahoots cake calamari calamity calcium calculate calculus
        caliber calibrate calm caloric calorie calzone camcorder cameo camera camisole camper campfire camping campsite
        campus canal canary cancel candied candle candy cane canine canister cannabis canned canning cannon cannot
        canola canon canopener canopy canteen canyon capable capably capacity cape capillary capital capitol capped
        capricorn capsize capsule caption captivate captive captivity capture caramel carat caravan carbon cardboard
        carded cardiac cardigan cardinal cardstock carefully caregiver careless caress caretaker cargo caring carless
        carload carmaker carnage carnation carnival carnivore carol carpenter carpentry carpool carport carried carrot
        carrousel carry cartel cartload carton cartoon cartridge cartwheel carve carving carwash cascade case cash
        casing casino casket cassette casually casualty catacomb catalog catalyst catalyze catapult cataract catatonic
        catcall catchable catcher catching catchy caterer catering catfight catfish cathedral cathouse catlike catnap
        catnip catsup cattail cattishly cattle catty catwalk caucasian caucus causal causation cause causing cauterize
        caution cautious cavalier cavalry caviar cavity cedar celery celestial celibacy celibate celtic cement census
        ceramics ceremony certainly certainty certified certify cesarean cesspool chafe chaffing chain chair chalice
        challenge chamber chamomile champion chance change channel chant chaos chaperone chaplain chapped chaps chapter
        character charbroil charcoal charger charging chariot charity charm charred charter charting chase chasing
        chaste chastise chastity chatroom chatter chatting chatty cheating cheddar cheek cheer cheese cheesy chef
        chemicals chemist chemo cherisher cherub chess chest chevron chevy chewable chewer chewing chewy chief chihuahua
        childcare childhood childish childless childlike chili chill chimp chip chirping chirpy chitchat chivalry chive
        chloride chlorine choice chokehold choking chomp chooser choosing choosy chop chosen chowder chowtime chrome
        chubby chuck chug chummy chump chunk churn chute cider cilantro cinch cinema cinnamon circle circling circular
        circulate circus citable citadel citation citizen citric citrus city civic civil clad claim clambake clammy
        clamor clamp clamshell clang clanking clapped clapper clapping clarify clarinet clarity clash clasp class
        clatter clause clavicle claw clay clean clear cleat cleaver cleft clench clergyman clerical clerk clever clicker
        client climate climatic cling clinic clinking clip clique cloak clobber clock clone cloning closable closure
        clothes clothing cloud clover clubbed clubbing clubhouse clump clumsily clumsy clunky clustered clutch clutter
        coach coagulant coastal coaster coasting coastland coastline coat coauthor cobalt cobbler cobweb cocoa coconut
        cod coeditor coerce coexist coffee cofounder cognition cognitive cogwheel coherence coherent cohesive coil coke
        cola cold coleslaw coliseum collage collapse collar collected collector collide collie collision colonial
        colonist colonize colony colossal colt coma come comfort comfy comic coming comma commence commend comment
        commerce commode commodity commodore common commotion commute commuting compacted compacter compactly compactor
        companion company compare compel compile comply component composed composer composite compost composure compound
        compress comprised computer computing comrade concave conceal conceded concept concerned concert conch concierge
        concise conclude concrete concur condense condiment condition condone conducive conductor conduit cone confess
        confetti confidant confident confider confiding configure confined confining confirm conflict conform confound
        confront confused confusing confusion congenial congested congrats congress conical conjoined conjure conjuror
        connected connector consensus consent console consoling consonant constable constant constrain constrict
        construct consult consumer consuming contact container contempt contend contented contently contents contest
        context contort contour contrite control contusion convene convent copartner cope copied copier copilot coping
        copious copper copy coral cork cornball cornbread corncob cornea corned corner cornfield cornflake cornhusk
        cornmeal cornstalk corny coronary coroner corporal corporate corral correct corridor corrode corroding corrosive
        corsage corset cortex cosigner cosmetics cosmic cosmos cosponsor cost cottage cotton couch cough could countable
        countdown counting countless country county courier covenant cover coveted coveting coyness cozily coziness cozy
        crabbing crabgrass crablike crabmeat cradle cradling crafter craftily craftsman craftwork crafty cramp cranberry
        crane cranial cranium crank crate crave craving crawfish crawlers crawling crayfish crayon crazed crazily
        craziness crazy creamed creamer creamlike crease creasing creatable create creation creative creature credible
        credibly credit creed creme creole crepe crept crescent crested cresting crestless crevice crewless crewman
        crewmate crib cricket cried crier crimp crimson cringe cringing crinkle crinkly crisped crisping crisply
        crispness crispy criteria critter croak crock crook croon crop cross crouch crouton crowbar crowd crown crucial
        crudely crudeness cruelly cruelness cruelty crumb crummiest crummy crumpet crumpled cruncher crunching crunchy
        crusader crushable crushed crusher crushing crust crux crying cryptic crystal cubbyhole cube cubical cubicle
        cucumber cuddle cuddly cufflink culinary culminate culpable culprit cultivate cultural culture cupbearer cupcake
        cupid cupped cupping curable curator curdle cure curfew curing curled curler curliness curling curly curry curse
        cursive cursor curtain curtly curtsy curvature curve curvy cushy cusp cussed custard custodian custody customary
        customer customize customs cut cycle cyclic cycling cyclist cylinder cymbal cytoplasm cytoplast dab dad daffodil
        dagger daily daintily dainty dairy daisy dallying dance dancing dandelion dander dandruff dandy danger dangle
        dangling daredevil dares daringly darkened darkening darkish darkness darkroom darling darn dart darwinism dash
        dastardly data datebook dating daughter daunting dawdler dawn daybed daybreak daycare daydream daylight daylong
        dayroom daytime dazzler dazzling deacon deafening deafness dealer dealing dealmaker dealt dean debatable debate
        debating debit debrief debtless debtor debug debunk decade decaf decal decathlon decay deceased deceit deceiver
        deceiving december decency decent deception deceptive decibel decidable decimal decimeter decipher deck declared
        decline decode decompose decorated decorator decoy decrease decree dedicate dedicator deduce deduct deed deem
        deepen deeply deepness deface defacing defame default defeat defection defective defendant defender defense
        defensive deferral deferred defiance defiant defile defiling define definite deflate deflation deflator
        deflected deflector defog deforest defraud defrost deftly defuse defy degraded degrading degrease degree
        dehydrate deity dejected delay delegate delegator delete deletion delicacy delicate delicious delighted
        delirious delirium deliverer delivery delouse delta deluge delusion deluxe demanding demeaning demeanor demise
        democracy democrat demote demotion demystify denatured deniable denial denim denote dense density dental dentist
        denture deny deodorant deodorize departed departure depict deplete depletion deplored deploy deport depose
        depraved depravity deprecate depress deprive depth deputize deputy derail deranged derby derived desecrate
        deserve deserving designate designed designer designing deskbound desktop deskwork desolate despair despise
        despite destiny destitute destruct detached detail detection detective detector detention detergent detest
        detonate detonator detoxify detract deuce devalue deviancy deviant deviate deviation deviator device devious
        devotedly devotee devotion devourer devouring devoutly dexterity dexterous diabetes diabetic diabolic diagnoses
        diagnosis diagram dial diameter diaper diaphragm diary dice dicing dictate dictation dictator difficult diffused
        diffuser diffusion diffusive dig dilation diligence diligent dill dilute dime diminish dimly dimmed dimmer
        dimness dimple diner dingbat dinghy dinginess dingo dingy dining dinner diocese dioxide diploma dipped dipper
        dipping directed direction directive directly directory direness dirtiness disabled disagree disallow disarm
        disarray disaster disband disbelief disburse discard discern discharge disclose discolor discount discourse
        discover discuss disdain disengage disfigure disgrace dish disinfect disjoin disk dislike disliking dislocate
        dislodge disloyal dismantle dismay dismiss dismount disobey disorder disown disparate disparity dispatch
        dispense dispersal dispersed disperser displace display displease disposal dispose disprove dispute disregard
        disrupt dissuade distance distant distaste distill distinct distort distract distress district distrust ditch
        ditto ditzy dividable divided dividend dividers dividing divinely diving divinity divisible divisibly division
        divisive divorcee dizziness dizzy doable docile dock doctrine document dodge dodgy doily doing dole dollar
        dollhouse dollop dolly dolphin domain domelike domestic dominion dominoes donated donation donator donor donut
        doodle doorbell doorframe doorknob doorman doormat doornail doorpost doorstep doorstop doorway doozy dork
        dormitory dorsal dosage dose dotted doubling douche dove down dowry doze drab dragging dragonfly dragonish
        dragster drainable drainage drained drainer drainpipe dramatic dramatize drank drapery drastic draw dreaded
        dreadful dreadlock dreamboat dreamily dreamland dreamless dreamlike dreamt dreamy drearily dreary drench dress
        drew dribble dried drier drift driller drilling drinkable drinking dripping drippy drivable driven driver
        driveway driving drizzle drizzly drone drool droop dropbox dropdown dropkick droplet dropout dropper drove drown
        drowsily drudge drum dry dubbed dubiously duchess duckbill ducking duckling ducktail ducky duct dude duffel
        dugout duh duke duller dullness duly dumping dumpling dumpster duo dupe duplex duplicate duplicity durable
        durably duration duress during dusk dust dutiful duty duvet dwarf dweeb dwelled dweller dwelling dwindle
        dwindling dynamic dynamite dynasty dyslexia dyslexic each eagle earache eardrum earflap earful earlobe early
        earmark earmuff earphone earpiece earplugs earring earshot earthen earthlike earthling earthly earthworm earthy
        earwig easeful easel easiest easily easiness easing eastbound eastcoast easter eastward eatable eaten eatery
        eating eats ebay ebony ebook ecard eccentric echo eclair eclipse ecologist ecology economic economist economy
        ecosphere ecosystem edge edginess edging edgy edition editor educated education educator eel effective effects
        efficient effort eggbeater egging eggnog eggplant eggshell egomaniac egotism egotistic either eject elaborate
        elastic elated elbow eldercare elderly eldest electable election elective elephant elevate elevating elevation
        elevator eleven elf eligible eligibly eliminate elite elitism elixir elk ellipse elliptic elm elongated elope
        eloquence eloquent elsewhere elude elusive elves email embargo embark embassy embattled embellish ember embezzle
        emblaze emblem embody embolism emboss embroider emcee emerald emergency emission emit emote emoticon emotion
        empathic empathy emperor emphases emphasis emphasize emphatic empirical employed employee employer emporium
        empower emptier emptiness empty emu enable enactment enamel enchanted enchilada encircle enclose enclosure
        encode encore encounter encourage encroach encrust encrypt endanger endeared endearing ended ending endless
        endnote endocrine endorphin endorse endowment endpoint endurable endurance enduring energetic energize energy
        enforced enforcer engaged engaging engine engorge engraved engraver engraving engross engulf enhance enigmatic
        enjoyable enjoyably enjoyer enjoying enjoyment enlarged enlarging enlighten enlisted enquirer enrage enrich
        enroll enslave ensnare ensure entail entangled entering entertain enticing entire entitle entity entomb
        entourage entrap entree entrench entrust entryway entwine enunciate envelope enviable enviably envious envision
        envoy envy enzyme epic epidemic epidermal epidermis epidural epilepsy epileptic epilogue epiphany episode equal
        equate equation equator equinox equipment equity equivocal eradicate erasable erased eraser erasure ergonomic
        errand errant erratic error erupt escalate escalator escapable escapade escapist escargot eskimo esophagus
        espionage espresso esquire essay essence essential establish estate esteemed estimate estimator estranged
        estrogen etching eternal eternity ethanol ether ethically ethics euphemism evacuate evacuee evade evaluate
        evaluator evaporate evasion evasive even everglade evergreen everybody everyday everyone evict evidence evident
        evil evoke evolution evolve exact exalted example excavate excavator exceeding exception excess exchange
        excitable exciting exclaim exclude excluding exclusion exclusive excretion excretory excursion excusable
        excusably excuse exemplary exemplify exemption exerciser exert exes exfoliate exhale exhaust exhume exile
        existing exit exodus exonerate exorcism exorcist expand expanse expansion expansive expectant expedited
        expediter expel expend expenses expensive expert expire expiring explain expletive explicit explode exploit
        explore exploring exponent exporter exposable expose exposure express expulsion exquisite extended extending
        extent extenuate exterior external extinct extortion extradite extras extrovert extrude extruding exuberant
        fable fabric fabulous facebook facecloth facedown faceless facelift faceplate faceted facial facility facing
        facsimile faction factoid factor factsheet factual faculty fade fading failing falcon fall false falsify fame
        familiar family famine famished fanatic fancied fanciness fancy fanfare fang fanning fantasize fantastic fantasy
        fascism fastball faster fasting fastness faucet favorable favorably favored favoring favorite fax feast federal
        fedora feeble feed feel feisty feline felttip feminine feminism feminist feminize femur fence fencing fender
        ferment fernlike ferocious ferocity ferret ferris ferry fervor fester festival festive festivity fetal fetch
        fever fiber fiction fiddle fiddling fidelity fidgeting fidgety fifteen fifth fiftieth fifty figment figure
        figurine filing filled filler filling film filter filth filtrate finale finalist finalize finally finance
        financial finch fineness finer finicky finished finisher finishing finite finless finlike fiscally fit five
        flaccid flagman flagpole flagship flagstick flagstone flail flakily flaky flame flammable flanked flanking
        flannels flap flaring flashback flashbulb flashcard flashily flashing flashy flask flatbed flatfoot flatly
        flatness flatten flattered flatterer flattery flattop flatware flatworm flavored flavorful flavoring flaxseed
        fled fleshed fleshy flick flier flight flinch fling flint flip flirt float flock flogging flop floral florist
        floss flounder flyable flyaway flyer flying flyover flypaper foam foe fog foil folic folk follicle follow
        fondling fondly fondness fondue font food fool footage football footbath footboard footer footgear foothill
        foothold footing footless footman footnote footpad footpath footprint footrest footsie footsore footwear
        footwork fossil foster founder founding fountain fox foyer fraction fracture fragile fragility fragment
        fragrance fragrant frail frame framing frantic fraternal frayed fraying frays freckled freckles freebase freebee
        freebie freedom freefall freehand freeing freeload freely freemason freeness freestyle freeware freeway freewill
        freezable freezing freight french frenzied frenzy frequency frequent fresh fretful fretted friction friday
        fridge fried friend frighten frightful frigidity frigidly frill fringe frisbee frisk fritter frivolous frolic
        from front frostbite frosted frostily frosting frostlike frosty froth frown frozen fructose frugality frugally
        fruit frustrate frying gab gaffe gag gainfully gaining gains gala gallantly galleria gallery galley gallon
        gallows gallstone galore galvanize gambling game gaming gamma gander gangly gangrene gangway gap garage garbage
        garden gargle garland garlic garment garnet garnish garter gas gatherer gathering gating gauging gauntlet gauze
        gave gawk gazing gear gecko geek geiger gem gender generic generous genetics genre gentile gentleman gently
        gents geography geologic geologist geology geometric geometry geranium gerbil geriatric germicide germinate
        germless germproof gestate gestation gesture getaway getting getup giant gibberish giblet giddily giddiness
        giddy gift gigabyte gigahertz gigantic giggle giggling giggly gigolo gilled gills gimmick girdle giveaway given
        giver giving gizmo gizzard glacial glacier glade gladiator gladly glamorous glamour glance glancing glandular
        glare glaring glass glaucoma glazing gleaming gleeful glider gliding glimmer glimpse glisten glitch glitter
        glitzy gloater gloating gloomily gloomy glorified glorifier glorify glorious glory gloss glove glowing glowworm
        glucose glue gluten glutinous glutton gnarly gnat goal goatskin goes goggles going goldfish goldmine goldsmith
        golf goliath gonad gondola gone gong good gooey goofball goofiness goofy google goon gopher gore gorged gorgeous
        gory gosling gossip gothic gotten gout gown grab graceful graceless gracious gradation graded grader gradient
        grading gradually graduate graffiti grafted grafting grain granddad grandkid grandly grandma grandpa grandson
        granite granny granola grant granular grape graph grapple grappling grasp grass gratified gratify grating
        gratitude gratuity gravel graveness graves graveyard gravitate gravity gravy gray grazing greasily greedily
        greedless greedy green greeter greeting grew greyhound grid grief grievance grieving grievous grill grimace
        grimacing grime griminess grimy grinch grinning grip gristle grit groggily groggy groin groom groove grooving
        groovy grope ground grouped grout grove grower growing growl grub grudge grudging grueling gruffly grumble
        grumbling grumbly grumpily grunge grunt guacamole guidable guidance guide guiding guileless guise gulf gullible
        gully gulp gumball gumdrop gumminess gumming gummy gurgle gurgling guru gush gusto gusty gutless guts gutter guy
        guzzler gyration habitable habitant habitat habitual hacked hacker hacking hacksaw had haggler haiku half
        halogen halt halved halves hamburger hamlet hammock hamper hamster hamstring handbag handball handbook handbrake
        handcart handclap handclasp handcraft handcuff handed handful handgrip handgun handheld handiness handiwork
        handlebar handled handler handling handmade handoff handpick handprint handrail handsaw handset handsfree
        handshake handstand handwash handwork handwoven handwrite handyman hangnail hangout hangover hangup hankering
        hankie hanky haphazard happening happier happiest happily happiness happy harbor hardcopy hardcore hardcover
        harddisk hardened hardener hardening hardhat hardhead hardiness hardly hardness hardship hardware hardwired
        hardwood hardy harmful harmless harmonica harmonics harmonize harmony harness harpist harsh harvest hash hassle
        haste hastily hastiness hasty hatbox hatchback hatchery hatchet hatching hatchling hate hatless hatred haunt
        haven hazard hazelnut hazily haziness hazing hazy headache headband headboard headcount headdress headed header
        headfirst headgear heading headlamp headless headlock headphone headpiece headrest headroom headscarf headset
        headsman headstand headstone headway headwear heap heat heave heavily heaviness heaving hedge hedging heftiness
        hefty helium helmet helper helpful helping helpless helpline hemlock hemstitch hence henchman henna herald
        herbal herbicide herbs heritage hermit heroics heroism herring herself hertz hesitancy hesitant hesitate hexagon
        hexagram hubcap huddle huddling huff hug hula hulk hull human humble humbling humbly humid humiliate humility
        humming hummus humongous humorist humorless humorous humpback humped humvee hunchback hundredth hunger hungrily
        hungry hunk hunter hunting huntress huntsman hurdle hurled hurler hurling hurray hurricane hurried hurry hurt
        husband hush husked huskiness hut hybrid hydrant hydrated hydration hydrogen hydroxide hyperlink hypertext
        hyphen hypnoses hypnosis hypnotic hypnotism hypnotist hypnotize hypocrisy hypocrite ibuprofen ice iciness icing
        icky icon icy idealism idealist idealize ideally idealness identical identify identity ideology idiocy idiom
        idly igloo ignition ignore iguana illicitly illusion illusive image imaginary imagines imaging imbecile imitate
        imitation immature immerse immersion imminent immobile immodest immorally immortal immovable immovably immunity
        immunize impaired impale impart impatient impeach impeding impending imperfect imperial impish implant implement
        implicate implicit implode implosion implosive imply impolite important importer impose imposing impotence
        impotency impotent impound imprecise imprint imprison impromptu improper improve improving improvise imprudent
        impulse impulsive impure impurity iodine iodize ion ipad iphone ipod irate irk iron irregular irrigate irritable
        irritably irritant irritate islamic islamist isolated isolating isolation isotope issue issuing italicize
        italics item itinerary itunes ivory ivy jab jackal jacket jackknife jackpot jailbird jailbreak jailer jailhouse
        jalapeno jam janitor january jargon jarring jasmine jaundice jaunt java jawed jawless jawline jaws jaybird
        jaywalker jazz jeep jeeringly jellied jelly jersey jester jet jiffy jigsaw jimmy jingle jingling jinx jitters
        jittery job jockey jockstrap jogger jogging john joining jokester jokingly jolliness jolly jolt jot jovial
        joyfully joylessly joyous joyride joystick jubilance jubilant judge judgingly judicial judiciary judo juggle
        juggling jugular juice juiciness juicy jujitsu jukebox july jumble jumbo jump junction juncture june junior
        juniper junkie junkman junkyard jurist juror jury justice justifier justify justly justness juvenile kabob
        kangaroo karaoke karate karma kebab keenly keenness keep keg kelp kennel kept kerchief kerosene kettle kick kiln
        kilobyte kilogram kilometer kilowatt kilt kimono kindle kindling kindly kindness kindred kinetic kinfolk king
        kinship kinsman kinswoman kissable kisser kissing kitchen kite kitten kitty kiwi kleenex knapsack knee knelt
        knickers knoll koala kooky kosher krypton kudos kung labored laborer laboring laborious labrador ladder ladies
        ladle ladybug ladylike lagged lagging lagoon lair lake lance landed landfall landfill landing landlady landless
        landline landlord landmark landmass landmine landowner landscape landside landslide language lankiness lanky
        lantern lapdog lapel lapped lapping laptop lard large lark lash lasso last latch late lather latitude latrine
        latter latticed launch launder laundry laurel lavender lavish laxative lazily laziness lazy lecturer left legacy
        legal legend legged leggings legible legibly legislate lego legroom legume legwarmer legwork lemon lend length
        lens lent leotard lesser letdown lethargic lethargy letter lettuce level leverage levers levitate levitator
        liability liable liberty librarian library licking licorice lid life lifter lifting liftoff ligament likely
        likeness likewise liking lilac lilly lily limb limeade limelight limes limit limping limpness line lingo
        linguini linguist lining linked linoleum linseed lint lion lip liquefy liqueur liquid lisp list litigate
        litigator litmus litter little livable lived lively liver livestock lividly living lizard lubricant lubricate
        lucid luckily luckiness luckless lucrative ludicrous lugged lukewarm lullaby lumber luminance luminous lumpiness
        lumping lumpish lunacy lunar lunchbox luncheon lunchroom lunchtime lung lurch lure luridness lurk lushly
        lushness luster lustfully lustily lustiness lustrous lusty luxurious luxury lying lyrically lyricism lyricist
        lyrics
        """
}
